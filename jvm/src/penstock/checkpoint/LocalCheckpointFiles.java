package penstock.checkpoint;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream;

/**
 * The files of a checkpoint on a local disk, by Java's own means. Hadoop's start a process to set a
 * mode or to follow a link where its native library is missing, several for each file: a tenth of a
 * second that every batch waits for.
 */
final class LocalCheckpointFiles implements CheckpointFileManager {
    private final Path root;

    LocalCheckpointFiles(Path root) {
        this.root = root;
    }

    @Override
    public CancellableFSDataOutputStream createAtomic(Path path, boolean overwrite) {
        return attempt(() -> StagedFile.open(local(path), overwrite));
    }

    @Override
    public FSDataInputStream open(Path path) {
        return attempt(() -> new FSDataInputStream(new LocalFile(local(path))));
    }

    @Override
    public FileStatus[] list(Path path, PathFilter filter) {
        return attempt(() -> {
            java.nio.file.Path listed = local(path);
            if (!Files.isDirectory(listed)) {
                return filter.accept(path) ? new FileStatus[] {status(listed)} : new FileStatus[0];
            }
            List<FileStatus> found = new ArrayList<>();
            try (Stream<java.nio.file.Path> files = Files.list(listed)) {
                for (java.nio.file.Path file : files.sorted().toList()) {
                    if (!StagedFile.isChecksum(file) && filter.accept(qualified(file))) {
                        statusUnlessGone(file).ifPresent(found::add);
                    }
                }
            }
            return found.toArray(FileStatus[]::new);
        });
    }

    /** Other threads write and delete in the same folder. */
    private static Optional<FileStatus> statusUnlessGone(java.nio.file.Path file)
            throws IOException {
        try {
            return Optional.of(status(file));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    private static FileStatus status(java.nio.file.Path file) throws IOException {
        BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileStatus(of.size(), of.isDirectory(), 1, 0,
                of.lastModifiedTime().toMillis(), qualified(file));
    }

    @Override
    public void mkdirs(Path path) {
        attempt(() -> {
            StagedFile.makeFolder(local(path));
            return null;
        });
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(local(path));
    }

    @Override
    public void delete(Path path) {
        attempt(() -> {
            java.nio.file.Path root = local(path);
            if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
                try (Stream<java.nio.file.Path> files = Files.walk(root)) {
                    for (java.nio.file.Path file
                            : files.sorted(Comparator.reverseOrder()).toList()) {
                        StagedFile.delete(file);
                    }
                }
            }
            return null;
        });
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public Path createCheckpointDirectory() {
        mkdirs(root);
        return qualified(local(root));
    }

    private static java.nio.file.Path local(Path path) {
        return java.nio.file.Path.of(path.toUri().getPath()).toAbsolutePath();
    }

    private static Path qualified(java.nio.file.Path file) {
        return new Path("file", null, file.toString());
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    /** Scala knows no checked exceptions: Spark expects them through methods that declare none. */
    @SuppressWarnings("unchecked")
    private static <T, E extends Throwable> T attempt(Work<T> work) throws E {
        try {
            return work.run();
        } catch (NoSuchFileException missing) {
            throw (E) new FileNotFoundException(missing.getFile());
        } catch (UncheckedIOException error) {
            throw (E) error.getCause();
        } catch (IOException error) {
            throw (E) error;
        }
    }
}
