package penstock.kafka.deadletters;

import java.io.Serializable;
import java.util.SortedMap;

/**
 * Whether letters of a batch may be in their topic already, and where they would be.
 *
 * @param mayBeThere whether the batch may have been begun before
 * @param from partition → offset before which there are none; of others all is to be read
 */
public record Earlier(boolean mayBeThere, SortedMap<Integer, Long> from) implements Serializable {}
