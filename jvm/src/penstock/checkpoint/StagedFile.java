package penstock.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream;

/** Written beside its place, and there as a whole when it is closed. */
final class StagedFile extends CancellableFSDataOutputStream {
    private static final String CHECKSUM = ".crc";

    private final Path staged;
    private final Path target;
    private final boolean overwrite;
    private boolean ended;

    private StagedFile(OutputStream out, Path staged, Path target, boolean overwrite) {
        super(out);
        this.staged = staged;
        this.target = target;
        this.overwrite = overwrite;
    }

    static StagedFile open(Path target, boolean overwrite) throws IOException {
        String name = "." + target.getFileName() + "." + UUID.randomUUID() + ".tmp";
        Path staged = target.resolveSibling(name);
        makeFolder(target.getParent());
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(staged));
        return new StagedFile(out, staged, target, overwrite);
    }

    /** Java takes a link to a folder for something in its way. */
    static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
    }

    static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        deleteChecksum(file);
    }

    /** Hadoop puts one beside each file, and would not read a file that it does not fit. */
    private static void deleteChecksum(Path file) throws IOException {
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + CHECKSUM));
    }

    static boolean isChecksum(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(".") && name.endsWith(CHECKSUM);
    }

    @Override
    public synchronized void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        try {
            super.close();
            if (!overwrite && Files.exists(target)) {
                throw new FileAlreadyExistsException(target + " exists already");
            }
            deleteChecksum(target);
            Files.move(staged, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(staged);
        }
    }

    @Override
    public synchronized void cancel() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            super.close();
        } catch (IOException full) {
            // The file is not wanted any more.
        }
        try {
            Files.deleteIfExists(staged);
        } catch (IOException error) {
            // What is left has a name that nobody looks for.
        }
    }
}
