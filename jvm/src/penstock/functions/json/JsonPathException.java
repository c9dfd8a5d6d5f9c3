package penstock.functions.json;

/** A strict path did not find what it names; what then happens is said by ON ERROR. */
final class JsonPathException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonPathException(String message) {
        super(message);
    }
}
