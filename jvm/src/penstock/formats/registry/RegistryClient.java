package penstock.formats.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLException;
import penstock.formats.RegistryException;

/**
 * Asks a registry over HTTP. One that is down, or says that it cannot answer now, is asked again at
 * each of its addresses, after a wait that doubles.
 */
final class RegistryClient {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TYPE = "application/vnd.schemaregistry.v1+json";
    private static final int NOT_FOUND = 404;
    private static final int CODES_PER_STATUS = 100;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int OK_BELOW = 300;

    private final RegistrySettings settings;
    private final RegistryException.Origin origin;
    private final HttpClient http;
    private final String authorization;

    private RegistryClient(RegistrySettings settings, RegistryException.Origin origin,
            HttpClient http) {
        this.settings = settings;
        this.origin = origin;
        this.http = http;
        this.authorization = authorization(settings);
    }

    static RegistryClient open(RegistrySettings settings, RegistryException.Origin origin) {
        try {
            HttpClient http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofMillis(settings.timeoutMs()))
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .sslContext(Stores.context(settings))
                    .build();
            return new RegistryClient(settings, origin, http);
        } catch (IOException | GeneralSecurityException e) {
            throw RegistryException.refused(origin, settings.toString(),
                    "the stores of keys and certificates cannot be read: " + e);
        }
    }

    private static String authorization(RegistrySettings settings) {
        if (settings.token() != null) {
            return "Bearer " + settings.token();
        }
        if (settings.userInfo() == null) {
            return null;
        }
        byte[] login = settings.userInfo().getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(login);
    }

    /** A name as a part of a path. */
    static String escaped(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** What is found under a path, or null. */
    JsonNode get(String path) {
        return answer(path, HttpRequest.newBuilder().GET());
    }

    /** What is said to a body. */
    JsonNode post(String path, Object body) {
        try {
            byte[] content = MAPPER.writeValueAsBytes(body);
            JsonNode found = answer(path,
                    HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofByteArray(content)));
            if (found == null) {
                throw refused("it knows nothing of " + path);
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RegistryException refused(String reason) {
        return RegistryException.refused(origin, settings.toString(), reason);
    }

    private JsonNode answer(String path, HttpRequest.Builder request) {
        request.header("Accept", TYPE).header("Content-Type", TYPE)
                .timeout(Duration.ofMillis(settings.timeoutMs()));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        String problem = "";
        for (long attempt = 0; attempt <= settings.retries(); attempt++) {
            if (attempt > 0) {
                pause(attempt);
            }
            for (String url : settings.urls()) {
                try {
                    HttpResponse<String> response = http.send(
                            request.uri(URI.create(url + path)).build(),
                            HttpResponse.BodyHandlers.ofString());
                    int status = response.statusCode();
                    if (status < SERVER_ERROR && status != TOO_MANY) {
                        return content(response);
                    }
                    problem = said(response);
                } catch (SSLException e) {
                    if (attempt == settings.retries()) {
                        throw refused("no secure connection: " + e.getMessage());
                    }
                } catch (IOException e) {
                    problem = e.getMessage() == null ? e.getClass().getSimpleName()
                            : e.getClass().getSimpleName() + ": " + e.getMessage();
                } catch (InterruptedException e) {
                    throw interrupted();
                }
            }
        }
        throw RegistryException.lost(origin, settings.toString(), problem);
    }

    private JsonNode content(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == NOT_FOUND && isRegistrysOwn(response)) {
            return null;
        }
        if (response.statusCode() >= OK_BELOW) {
            throw refused(said(response));
        }
        return MAPPER.readTree(response.body());
    }

    /** Whether it is the registry that does not have it, and not a proxy that has no registry. */
    private static boolean isRegistrysOwn(HttpResponse<String> response) {
        try {
            int code = MAPPER.readTree(response.body()).path("error_code").intValue();
            return code / CODES_PER_STATUS == NOT_FOUND;
        } catch (IOException e) {
            return false;
        }
    }

    /** The status, and the message if the body has one. */
    private static String said(HttpResponse<String> response) {
        String message = "";
        try {
            message = MAPPER.readTree(response.body()).path("message").asText("");
        } catch (IOException e) {
            // A proxy in front of the registry answers with pages.
        }
        return "HTTP status " + response.statusCode() + (message.isEmpty() ? "" : ": " + message);
    }

    private void pause(long attempt) {
        long doubled = settings.waitMs() << Math.min(attempt - 1, 30);
        try {
            Thread.sleep(Math.min(doubled, settings.maxWaitMs()));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** A task that is ended while it waits: Spark knows interrupted input by this type. */
    private static UncheckedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new InterruptedIOException("ended while it waited"));
    }
}
