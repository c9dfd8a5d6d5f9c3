package penstock.formats.registry;

import java.util.List;
import java.util.stream.Stream;
import penstock.formats.CodecOptions;

/**
 * How a registry is reached. Its text is without secrets, as that of every record would not be.
 *
 * @param urls where it listens, without a slash at the end
 * @param userInfo {@code name:password}, or null
 * @param token of bearer authentication, or null
 * @param keyStore what the client is known by
 * @param trustStore whom the client trusts
 * @param retries how often a request is made again
 * @param waitMs before the first of them, doubled for each other
 * @param maxWaitMs the longest of these waits
 * @param timeoutMs how long a request may take
 */
record RegistrySettings(List<String> urls, String userInfo, String token, Store keyStore,
        Store trustStore, long retries, long waitMs, long maxWaitMs, long timeoutMs) {
    /**
     * A file of keys or certificates.
     *
     * @param location its path
     * @param password of it, or null
     */
    record Store(String location, String password) {
        @Override
        public String toString() {
            return location;
        }
    }

    static RegistrySettings of(CodecOptions options) {
        return new RegistrySettings(
                Stream.of(options.text("url", "").split(","))
                        .map(url -> url.strip().replaceAll("/+$", "")).toList(),
                options.text("basic-auth.user-info", null),
                options.text("bearer-auth.token", null),
                store(options, "ssl.keystore"), store(options, "ssl.truststore"),
                options.number("max.retries", 3), options.number("retries.wait.ms", 1_000),
                options.number("retries.max.wait.ms", 20_000),
                options.number("http.read.timeout.ms", 60_000));
    }

    private static Store store(CodecOptions options, String prefix) {
        String location = options.text(prefix + ".location", null);
        return location == null ? null
                : new Store(location, options.text(prefix + ".password", null));
    }

    @Override
    public String toString() {
        return String.join(",", urls);
    }
}
