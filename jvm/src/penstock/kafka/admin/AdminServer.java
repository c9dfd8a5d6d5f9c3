package penstock.kafka.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers questions about Kafka clusters for a Python process: one JSON object a line, each with an
 * <code>id</code> that its answer carries back. Ends when its standard input does, and so with its
 * parent; properties come in over that pipe because anyone may read a command line.
 */
public final class AdminServer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ExecutorService workers = Executors.newCachedThreadPool(AdminServer::daemon);
    private final Questions questions = new Questions(JSON);
    private final PrintStream output;

    private AdminServer(PrintStream output) {
        this.output = output;
    }

    public static void main(String[] arguments) throws IOException {
        AdminServer server = new AdminServer(System.out);
        // What a library prints must not get between the answers.
        System.setOut(System.err);
        server.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        Runtime.getRuntime().halt(0);
    }

    private void serve(BufferedReader input) throws IOException {
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonNode question = JSON.readTree(line);
            workers.submit(() -> say(answer(question)));
        }
    }

    private ObjectNode answer(JsonNode question) {
        ObjectNode answer = JSON.createObjectNode().put("id", question.get("id").asLong());
        try {
            answer.set("answer", questions.answer(question));
        } catch (Throwable failure) {
            answer.set("fault", Fault.of(failure).toJson(JSON));
        }
        return answer;
    }

    private synchronized void say(ObjectNode answer) {
        output.writeBytes((answer + "\n").getBytes(StandardCharsets.UTF_8));
        output.flush();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "penstock-admin");
        thread.setDaemon(true);
        return thread;
    }
}
