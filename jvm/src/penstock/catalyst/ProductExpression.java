package penstock.catalyst;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A Catalyst expression written in Java, with what Scala's case classes give for free.
 *
 * <p>Spark copies a node by calling its constructor with its product elements, so a subclass has one
 * public constructor whose parameters are exactly {@link #elements()}.
 */
public abstract class ProductExpression extends Expression implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Seq<Expression> children;

    protected ProductExpression(Expression... children) {
        this(CollectionConverters.asScala(List.of(children)).toList());
    }

    protected ProductExpression(Seq<Expression> children) {
        this.children = children;
    }

    /** The constructor's arguments, in order. */
    protected abstract Object[] elements();

    @Override
    public final Seq<Expression> children() {
        return children;
    }

    @Override
    public final int productArity() {
        return elements().length;
    }

    @Override
    public final Object productElement(int index) {
        return elements()[index];
    }

    @Override
    public final boolean canEqual(Object other) {
        return other != null && other.getClass() == getClass();
    }

    @Override
    public final boolean equals(Object other) {
        return canEqual(other) && Arrays.equals(((ProductExpression) other).elements(), elements());
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(elements());
    }
}
