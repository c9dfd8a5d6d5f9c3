package penstock.formats.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLException;
import penstock.formats.CodecOptions;
import penstock.formats.RegistryException;

/**
 * Asks a registry over HTTP. One that is down, or says that it cannot answer now, is asked again at
 * each of its addresses, after a wait that doubles.
 */
final class RegistryClient {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TYPE = "application/vnd.schemaregistry.v1+json";
    private static final int OK_BELOW = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int CODES_PER_STATUS = 100;

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

    static RegistryClient open(CodecOptions options) {
        RegistrySettings settings = RegistrySettings.of(options);
        RegistryException.Origin origin = RegistryException.Origin.of(options);
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
                    "the stores of keys and certificates cannot be read: " + e,
                    "correct " + origin.option("ssl.keystore.*") + " and "
                    + origin.option("ssl.truststore.*"));
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

    /** Where the registry listens, without a login. */
    String address() {
        return settings.toString();
    }

    /** An option of the table's format. */
    String option(String key) {
        return origin.option(key);
    }

    /** What is found under a path, or null; {@code asked} says what that is. */
    Answer get(String path, String asked) {
        return answer(path, HttpRequest.newBuilder().GET(), asked);
    }

    /** What is said to a body. */
    Answer post(String path, Object body, String asked) {
        try {
            byte[] content = MAPPER.writeValueAsBytes(body);
            Answer found = answer(path,
                    HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofByteArray(content)),
                    asked);
            if (found == null) {
                throw misplaced("asked " + asked + ", it knows nothing of " + path);
            }
            return found;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    RegistryException refused(String reason, String instead) {
        return RegistryException.refused(origin, address(), reason, instead);
    }

    /** Something else than a registry seems to listen there. */
    RegistryException misplaced(String reason) {
        return refused(reason, "correct " + option("url")
                + " (that of an Apicurio registry ends with /apis/ccompat/v7)");
    }

    private Answer answer(String path, HttpRequest.Builder request, String asked) {
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
                        return content(response, asked);
                    }
                    problem = said(response);
                } catch (SSLException e) {
                    problem = "no secure connection: " + e.getMessage();
                    if (attempt == settings.retries()) {
                        throw refused("asked " + asked + ", there is " + problem,
                                "correct " + option("ssl.truststore.*") + " and "
                                + option("ssl.keystore.*"));
                    }
                } catch (IOException e) {
                    problem = problem(e);
                } catch (InterruptedException e) {
                    throw interrupted();
                }
            }
        }
        throw RegistryException.lost(origin, address(), "asked " + asked + ", " + problem);
    }

    private String problem(IOException e) {
        if (e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException)) {
            return "it says nothing for " + settings.timeoutMs() + " ms (http.read.timeout.ms)";
        }
        String name = e.getClass().getSimpleName();
        return e.getMessage() == null ? name : name + ": " + e.getMessage();
    }

    private Answer content(HttpResponse<String> response, String asked) {
        int status = response.statusCode();
        JsonNode content = json(response);
        if (status == NOT_FOUND && isRegistrysOwn(content)) {
            return null;
        }
        if (status < OK_BELOW && content != null) {
            return new Answer(this, asked, content);
        }
        String reason = "asked " + asked + ", it answers with " + said(response);
        throw switch (status) {
            case UNAUTHORIZED, FORBIDDEN -> refused(reason, "give a login that may do so, with "
                    + option("basic-auth.user-info") + " or " + option("bearer-auth.token"));
            case CONFLICT, UNPROCESSABLE -> refused(reason, "change the columns, the subject's rule"
                    + " of compatibility, or the subject, with " + option("subject"));
            case NOT_FOUND, NOT_ALLOWED -> misplaced(reason);
            default -> status < OK_BELOW ? misplaced(reason + " and no JSON") : refused(reason,
                    "correct " + option("url") + " or the options beside it");
        };
    }

    /** The body, or null if it is not JSON: a proxy in front of the registry answers with pages. */
    private static JsonNode json(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Whether it is the registry that does not have it, and not a proxy that has no registry. */
    private static boolean isRegistrysOwn(JsonNode content) {
        return content != null
                && content.path("error_code").intValue() / CODES_PER_STATUS == NOT_FOUND;
    }

    /** The status, and the message if the body has one. */
    private static String said(HttpResponse<String> response) {
        JsonNode content = json(response);
        String message = content == null ? "" : content.path("message").asText("");
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
