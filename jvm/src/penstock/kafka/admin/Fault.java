package penstock.kafka.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.protocol.Errors;

/** What went wrong, as the protocol names it (names with an underscore are the client's own). */
record Fault(String name, String text) {

    static Fault of(Throwable failure) {
        Throwable error = failure;
        while ((error instanceof ExecutionException || error instanceof CompletionException)
                && error.getCause() != null) {
            error = error.getCause();
        }
        return new Fault(name(error), text(error));
    }

    ObjectNode toJson(ObjectMapper json) {
        return json.createObjectNode().put("name", name).put("text", text);
    }

    private static String name(Throwable error) {
        if (error instanceof SslAuthenticationException) {
            return "_SSL";
        }
        Errors known = Errors.forException(error);
        if (known != Errors.UNKNOWN_SERVER_ERROR) {
            return known.name();
        }
        if (error instanceof AuthenticationException) {
            return "_AUTHENTICATION";
        }
        // A client that cannot be made: a store, a password, a login module, a ticket.
        return error instanceof KafkaException || error instanceof LinkageError
                ? "_CLIENT"
                : error.getClass().getSimpleName();
    }

    /** What each cause says, from the outermost in, without what only repeats a deeper one. */
    private static String text(Throwable error) {
        List<String> said = new ArrayList<>();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String words = words(cause);
            said.removeIf(outer -> outer.contains(words));
            said.add(words);
        }
        return String.join(": ", said);
    }

    private static String words(Throwable error) {
        if (error instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        if (error instanceof AccessDeniedException denied) {
            return "the file " + denied.getFile() + " may not be read";
        }
        String message = error.getMessage();
        boolean silent = message == null || message.isBlank();
        return silent ? error.getClass().getSimpleName() : message.strip();
    }
}
