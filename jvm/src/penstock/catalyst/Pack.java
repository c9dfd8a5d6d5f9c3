package penstock.catalyst;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.catalyst.optimizer.InsertMapSortExpression$;
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * {@code penstock_pack(a, b, …)}: the values as the bytes of one row, which {@link Unpack} reads.
 *
 * <p>Equal values give equal bytes, maps in whatever order their entries came. With {@code asKey}
 * (the function {@code penstock_pack_key}) that holds for 0.0 and -0.0 and for every NaN, too, as it
 * does for the keys of a GROUP BY.
 */
public final class Pack extends ProductExpression {
    private static final long serialVersionUID = 1L;
    private static final String NAME = "penstock_pack";
    private static final String KEY_NAME = "penstock_pack_key";

    private final Seq<Expression> values;
    private final boolean asKey;
    private transient UnsafeProjection projection;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Pack(Seq<Expression> values, boolean asKey) {
        super(values);
        this.values = values;
        this.asKey = asKey;
    }

    /** Registers the functions as temporary functions of a session. */
    public static void register(SparkSession session) {
        register(session, NAME, false);
        register(session, KEY_NAME, true);
    }

    private static void register(SparkSession session, String name, boolean asKey) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(name,
                new AbstractFunction1<Seq<Expression>, Expression>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        return new Pack(arguments, asKey);
                    }
                }, "scala_udf");
    }

    private Seq<Expression> packed() {
        List<Expression> normal = new ArrayList<>();
        values.foreach(value -> {
            Expression sorted = InsertMapSortExpression$.MODULE$.insertMapSortRecursively(value);
            return normal.add(
                    asKey ? NormalizeFloatingNumbers$.MODULE$.normalize(sorted) : sorted);
        });
        return CodeWriter.seq(normal);
    }

    @Override
    public Object eval(InternalRow input) {
        if (projection == null) {
            projection = UnsafeProjection.create(packed());
        }
        return Packed.bytes(projection.apply(input));
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode row = GenerateUnsafeProjection.createCode(ctx, packed(), false);
        CodeWriter code = new CodeWriter()
                .code(row.code())
                .text("\nbyte[] ").code(ev.value())
                .text(" = " + Packed.class.getName() + ".bytes(").code(row.value()).text(");\n");
        return ev.copy(code.block(), CodeWriter.NEVER, ev.value());
    }

    @Override
    public DataType dataType() {
        return DataTypes.BinaryType;
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public String prettyName() {
        return asKey ? KEY_NAME : NAME;
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Pack(children, asKey);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {values, asKey};
    }
}
