import { mkdtemp, readdir, readlink, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory; containers often limit it to 64 MB. */
const MEMORY_FOLDER = "/dev/shm";
/** More than the databases of all test files need. */
const MEMORY_BYTES_MIN = 2 * 1024 ** 3;
const PREFIX = "conclave-postgres";

/** The namespace of this process's id: containers that share a folder count their processes by themselves. */
const namespaceOfIds = async (): Promise<string> => {
  try {
    return (await readlink("/proc/self/ns/pid")).replace(/\D/g, "");
  } catch {
    return "0";
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Removes the folders of servers whose starter was killed. A PostgreSQL that still runs in one ends by itself within a minute, as its
 * lock file is gone.
 */
export const removeAbandoned = async (parent: string): Promise<void> => {
  const start = `${PREFIX}-${await namespaceOfIds()}-`;
  const names = (await readdir(parent)).filter((name) => name.startsWith(start));
  const abandoned = names.filter((name) => !isAlive(Number.parseInt(name.slice(start.length), 10)));
  for (const name of abandoned) {
    // another test run may remove it as well
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
};

/** Makes a folder in `parent` whose name says which process has it. */
export const makeServerFolder = async (parent: string): Promise<string> => {
  await removeAbandoned(parent);
  return mkdtemp(join(parent, `${PREFIX}-${await namespaceOfIds()}-${process.pid}-`));
};

/** A folder in memory if there is room: a database has a thousand files, which take long to create on a disk. */
export const parentInMemory = async (): Promise<string> => {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    // the file system's limit says nothing about what processes and its other files have left of the memory
    return Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
};
