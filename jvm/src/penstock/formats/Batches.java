package penstock.formats;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.ProductExpression;
import scala.Enumeration;
import scala.collection.IterableOnce;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * {@code (row STRUCT<…>, size) → rows ARRAY<STRUCT<…>>}: so many rows of a task one after another,
 * as one array; the last has what is left. A table function: it gives rows of its own.
 */
public final class Batches extends ProductExpression implements Generator {
    private static final long serialVersionUID = 1L;

    private final Expression row;
    private final int size;
    private Seq<Enumeration.Value> patterns;
    // Each task has a copy of its own.
    private transient List<Object> waiting;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Batches(Expression row, int size) {
        super(row);
        this.row = row;
        this.size = size;
        Generator.$init$(this);
    }

    /** How a class of Java is given what Scala's trait keeps in a value. */
    @Override
    public void org$apache$spark$sql$catalyst$expressions$Generator$_setter_$nodePatterns_$eq(
            Seq<Enumeration.Value> patterns) {
        this.patterns = patterns;
    }

    @Override
    public Seq<Enumeration.Value> nodePatterns() {
        return patterns;
    }

    @Override
    public IterableOnce<InternalRow> eval(InternalRow input) {
        if (waiting == null) {
            waiting = new ArrayList<>();
        }
        // Spark fills one row again and again.
        waiting.add(((InternalRow) row.eval(input)).copy());
        return waiting.size() < size ? batches(List.of()) : rest();
    }

    @Override
    public IterableOnce<InternalRow> terminate() {
        return waiting == null || waiting.isEmpty() ? batches(List.of()) : rest();
    }

    private IterableOnce<InternalRow> rest() {
        Object[] rows = waiting.toArray();
        waiting.clear();
        return batches(List.of(new GenericInternalRow(new Object[] {new GenericArrayData(rows)})));
    }

    private static IterableOnce<InternalRow> batches(List<InternalRow> found) {
        return CollectionConverters.asScala(found).toSeq();
    }

    @Override
    public StructType elementSchema() {
        return new StructType().add("rows", new ArrayType(row.dataType(), false), false);
    }

    @Override
    public DataType dataType() {
        return new ArrayType(elementSchema(), false);
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public boolean foldable() {
        return false;
    }

    @Override
    public boolean supportCodegen() {
        return false;
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        throw new UnsupportedOperationException("Batches are made by rows, not by generated code");
    }

    @Override
    public String prettyName() {
        return "penstock_batches";
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Batches(children.apply(0), size);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {row, size};
    }
}
