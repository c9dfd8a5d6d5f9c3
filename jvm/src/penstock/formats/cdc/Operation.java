package penstock.formats.cdc;

/** What a message says happened to the rows of a table. */
enum Operation {
    INSERT,
    UPDATE,
    DELETE,
    /** Something that has no rows, such as a change of the table's definition. */
    NOTHING
}
