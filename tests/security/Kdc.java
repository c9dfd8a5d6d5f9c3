import java.io.File;
import java.net.ServerSocket;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A Kerberos key distribution centre on the loopback address, until its standard input ends:
 * <code>Kdc.java FOLDER REALM PRINCIPAL…</code>. Each principal gets a keytab in the folder, named
 * by what stands before its slash or at sign; the port it listens on is printed once it does.
 */
public final class Kdc {
    public static void main(String[] arguments) throws Exception {
        File folder = new File(arguments[0]);
        SimpleKdcServer kdc = new SimpleKdcServer();
        kdc.setWorkDir(folder);
        kdc.setKdcHost("localhost");
        kdc.setKdcRealm(arguments[1]);
        kdc.setAllowUdp(false);
        int port = freePort();
        kdc.setKdcTcpPort(port);
        kdc.init();
        for (int i = 2; i < arguments.length; i++) {
            File keytab = new File(folder, arguments[i].split("[/@]")[0] + ".keytab");
            kdc.createAndExportPrincipals(keytab, arguments[i]);
        }
        kdc.start();
        System.out.println(port);
        while (System.in.read() >= 0) {
            // Whoever started it closes the pipe, or dies and so closes it.
        }
        Runtime.getRuntime().halt(0);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
