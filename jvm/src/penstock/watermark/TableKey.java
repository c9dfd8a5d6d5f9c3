package penstock.watermark;

import java.io.Serializable;

/** One table reference of a query: the query's name, and the number of the scan in it. */
public record TableKey(String query, String scan) implements Serializable {}
