package penstock.formats.registry;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates out of files: JKS, PKCS12 or PEM, told apart by what is in them. */
final class Stores {
    private static final Pattern PEM_KEY = Pattern.compile(
            "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final String[] KEY_KINDS = {"RSA", "EC", "Ed25519"};
    private static final char[] NO_PASSWORD = new char[0];

    private Stores() {}

    /** What a client speaks TLS with; Java's own where a store is not named. */
    static SSLContext context(RegistrySettings settings)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys(settings.keyStore()), trust(settings.trustStore()), null);
        return context;
    }

    private static KeyManager[] keys(RegistrySettings.Store store)
            throws GeneralSecurityException, IOException {
        if (store == null) {
            return null;
        }
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(load(store), password(store));
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(RegistrySettings.Store store)
            throws GeneralSecurityException, IOException {
        if (store == null) {
            return null;
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(load(store));
        return factory.getTrustManagers();
    }

    private static char[] password(RegistrySettings.Store store) {
        return store.password() == null ? NO_PASSWORD : store.password().toCharArray();
    }

    private static KeyStore load(RegistrySettings.Store store)
            throws GeneralSecurityException, IOException {
        byte[] content = Files.readAllBytes(Path.of(store.location()));
        String text = new String(content, StandardCharsets.ISO_8859_1);
        if (text.contains("-----BEGIN ")) {
            return ofPem(text, password(store));
        }
        char[] password = store.password() == null ? null : password(store);
        return KeyStore.getInstance(new File(store.location()), password);
    }

    private static KeyStore ofPem(String text, char[] password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Matcher key = PEM_KEY.matcher(text);
        if (key.find()) {
            byte[] encoded = Base64.getMimeDecoder().decode(key.group(1));
            Certificate[] chain = certificates(key.replaceAll(""));
            store.setKeyEntry("key", privateKey(encoded), password, chain);
            return store;
        }
        Certificate[] trusted = certificates(text);
        for (int i = 0; i < trusted.length; i++) {
            store.setCertificateEntry("certificate" + i, trusted[i]);
        }
        return store;
    }

    private static Certificate[] certificates(String text) throws GeneralSecurityException {
        byte[] content = text.strip().getBytes(StandardCharsets.ISO_8859_1);
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(content))
                .toArray(new Certificate[0]);
    }

    private static PrivateKey privateKey(byte[] encoded) throws GeneralSecurityException {
        for (String kind : KEY_KINDS) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException e) {
                // It is a key of another kind.
            }
        }
        throw new InvalidKeySpecException("the private key is of no known kind");
    }
}
