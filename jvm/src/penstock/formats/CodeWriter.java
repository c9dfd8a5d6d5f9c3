package penstock.formats;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What Scala's {@code code"…"} is to Spark: a text with pieces of generated code in it. */
final class CodeWriter {
    private final List<String> texts = new ArrayList<>();
    private final List<JavaCode> pieces = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    CodeWriter text(String more) {
        text.append(more);
        return this;
    }

    CodeWriter code(JavaCode piece) {
        texts.add(text.toString());
        text.setLength(0);
        pieces.add(piece);
        return this;
    }

    Block block() {
        texts.add(text.toString());
        return new CodeBlock(seq(texts), seq(pieces));
    }

    static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }
}
