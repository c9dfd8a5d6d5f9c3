package penstock.kafka.deadletters;

import java.io.Serializable;
import java.util.SortedMap;
import java.util.UUID;

/**
 * Whether letters of a batch may be in their topic already, and where they would be.
 *
 * @param mayBeThere whether the batch may have been begun before
 * @param from partition → offset before which there are none; of others all is to be read
 * @param batch a name that no other attempt at this or another batch has
 */
public record Earlier(boolean mayBeThere, SortedMap<Integer, Long> from, String batch)
        implements Serializable {
    /** What a batch knows that is planned now. */
    public static Earlier of(boolean mayBeThere, SortedMap<Integer, Long> from) {
        return new Earlier(mayBeThere, from, UUID.randomUUID().toString());
    }
}
