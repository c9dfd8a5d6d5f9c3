import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/**
 * Runs many keytool commands in one JVM: a line of standard input is one, its words separated by
 * tabs. <code>-exportkey STORE PASSWORD ALIAS FILE</code> is our own: a key and its chain as PEM.
 */
public final class Certificates {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            if (words[0].equals("-exportkey")) {
                exportKey(Path.of(words[1]), words[2].toCharArray(), words[3], Path.of(words[4]));
            } else {
                sun.security.tools.keytool.Main.main(words);
            }
        }
    }

    private static void exportKey(Path store, char[] password, String alias, Path file)
            throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), password);
        try (PrintWriter output = new PrintWriter(Files.newBufferedWriter(file))) {
            write(output, "PRIVATE KEY", keys.getKey(alias, password).getEncoded());
            for (Certificate certificate : keys.getCertificateChain(alias)) {
                write(output, "CERTIFICATE", certificate.getEncoded());
            }
        }
    }

    private static void write(PrintWriter output, String what, byte[] content) {
        output.println("-----BEGIN " + what + "-----");
        output.println(Base64.getMimeEncoder().encodeToString(content));
        output.println("-----END " + what + "-----");
    }
}
