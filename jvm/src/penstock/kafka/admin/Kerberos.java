package penstock.kafka.admin;

/** Kerberos in this JVM, which has one configuration for all its logins. */
public final class Kerberos {
    private static final String CONFIGURATION = "java.security.krb5.conf";

    private Kerberos() {}

    /** Use this file from now on; false if the JVM does not let go of what it has read. */
    public static synchronized boolean configure(String file) {
        if (file.equals(System.getProperty(CONFIGURATION))) {
            return true;
        }
        System.setProperty(CONFIGURATION, file);
        try {
            // Spark has asked for the default realm before, and Java keeps what it then read.
            Class.forName("sun.security.krb5.Config").getMethod("refresh").invoke(null);
            return true;
        } catch (ReflectiveOperationException closed) {
            return false;
        }
    }
}
