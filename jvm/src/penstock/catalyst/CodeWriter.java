package penstock.catalyst;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprValue;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What Scala's {@code code"…"} is to Spark: a text with pieces of generated code in it. */
public final class CodeWriter {
    /** What says that a value is never null. */
    public static final ExprValue NEVER = FalseLiteral$.MODULE$;

    private final List<String> texts = new ArrayList<>();
    private final List<JavaCode> pieces = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /** More text. */
    public CodeWriter text(String more) {
        text.append(more);
        return this;
    }

    /** A piece of code, whose names Spark may still change. */
    public CodeWriter code(JavaCode piece) {
        texts.add(text.toString());
        text.setLength(0);
        pieces.add(piece);
        return this;
    }

    /** All of it, in order. */
    public Block block() {
        texts.add(text.toString());
        return new CodeBlock(seq(texts), seq(pieces));
    }

    /** A list as Spark wants it. */
    public static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }
}
