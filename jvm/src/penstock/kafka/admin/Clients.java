package penstock.kafka.admin;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Admin clients by their properties, opened when first asked for and kept. */
final class Clients {
    /** What only the clients that move rows need, with classes that may not be here. */
    private static final Set<String> LEFT_OUT = Set.of("metric.reporters");

    private final Map<Map<String, String>, Admin> open = new ConcurrentHashMap<>();

    Admin of(Map<String, String> properties, int timeoutMs) {
        return open.computeIfAbsent(properties, key -> open(key, timeoutMs));
    }

    private static Admin open(Map<String, String> properties, int timeoutMs) {
        Map<String, Object> config = new HashMap<>();
        for (String name : AdminClientConfig.configNames()) {
            if (properties.containsKey(name) && !LEFT_OUT.contains(name)) {
                config.put(name, properties.get(name));
            }
        }
        config.put("request.timeout.ms", String.valueOf(timeoutMs));
        config.put("default.api.timeout.ms", String.valueOf(timeoutMs));
        return Admin.create(config);
    }
}
