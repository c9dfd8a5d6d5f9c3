package penstock.checkpoint;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream;

/**
 * {@code spark.sql.streaming.checkpointFileManagerClass}: our own files on a local disk, Spark's on
 * every other file system.
 */
public final class CheckpointFiles implements CheckpointFileManager {
    private static final String SETTING = "spark.sql.streaming.checkpointFileManagerClass";

    private final CheckpointFileManager files;

    /** As Spark calls it. */
    public CheckpointFiles(Path root, Configuration hadoop) throws IOException {
        FileSystem system = root.getFileSystem(hadoop);
        if (system instanceof LocalFileSystem || system instanceof RawLocalFileSystem) {
            files = new LocalCheckpointFiles(root);
        } else {
            Configuration sparks = new Configuration(hadoop);
            sparks.unset(SETTING);
            files = CheckpointFileManager.create(root, sparks);
        }
    }

    @Override
    public CancellableFSDataOutputStream createAtomic(Path path, boolean overwriteIfPossible) {
        return files.createAtomic(path, overwriteIfPossible);
    }

    @Override
    public FSDataInputStream open(Path path) {
        return files.open(path);
    }

    @Override
    public FileStatus[] list(Path path, PathFilter filter) {
        return files.list(path, filter);
    }

    @Override
    public void mkdirs(Path path) {
        files.mkdirs(path);
    }

    @Override
    public boolean exists(Path path) {
        return files.exists(path);
    }

    @Override
    public void delete(Path path) {
        files.delete(path);
    }

    @Override
    public boolean isLocal() {
        return files.isLocal();
    }

    @Override
    public Path createCheckpointDirectory() {
        return files.createCheckpointDirectory();
    }

    @Override
    public void close() {
        files.close();
    }
}
