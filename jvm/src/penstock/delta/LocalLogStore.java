package penstock.delta;

import io.delta.storage.HDFSLogStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The log of a Delta table on a local disk, to which several processes write.
 *
 * <p>Delta looks whether a commit of the number is there, and moves its own to that place. On a local
 * disk a move replaces what has come there meanwhile: of two processes both would have committed, and
 * the rows of one be gone. A link is made only where nothing is.
 */
public final class LocalLogStore extends HDFSLogStore {
    /** As Delta makes it. */
    public LocalLogStore(Configuration configuration) {
        super(configuration);
    }

    @Override
    public void write(Path path, Iterator<String> actions, Boolean overwrite,
            Configuration configuration) throws IOException {
        List<String> lines = new ArrayList<>();
        actions.forEachRemaining(lines::add);
        if (overwrite || !isWritten(java.nio.file.Path.of(path.toUri().getPath()), lines)) {
            super.write(path, lines.iterator(), overwrite, configuration);
        }
    }

    /** Whether the file is there now, by us; not where the disk has no links. */
    private static boolean isWritten(java.nio.file.Path target, List<String> lines)
            throws IOException {
        String name = "." + target.getFileName() + "." + UUID.randomUUID() + ".tmp";
        java.nio.file.Path staged = target.resolveSibling(name);
        try {
            Files.write(staged, lines);
            Files.createLink(target, staged);
            return true;
        } catch (FileAlreadyExistsException taken) {
            throw taken;
        } catch (FileSystemException | UnsupportedOperationException linkless) {
            return false;
        } finally {
            Files.deleteIfExists(staged);
        }
    }
}
