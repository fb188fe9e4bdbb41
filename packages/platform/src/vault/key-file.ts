import { join } from "node:path";
import { z } from "zod";
import type { Disk } from "./disk.ts";

const fileSchema = z.record(z.string(), z.base64());

/**
 * Removes a file that an interrupted change left. If it is only a second name of the current file, or there is no
 * current file, the name is removed. Otherwise it holds keys that must be destroyed, so it is overwritten.
 */
const blankLeft = async (disk: Disk, left: string, path: string): Promise<void> => {
  const [own, other] = [await disk.inodeOf(path), await disk.inodeOf(left)];
  if (other === undefined) return;
  // otherwise a power failure could bring the overwritten file back into the place of the current one
  await disk.syncFolder(path);
  if (own === undefined || other === own) await disk.remove(left);
  else await disk.blank(left);
};

/** Suffixes of the files that a change writes next to the file that it replaces. */
const LEFT = [".next", ".old"] as const;

/** Removes the files that interrupted changes left in a folder; must run before any key file is read or changed. */
export const tidyKeyFiles = async (disk: Disk, folder: string): Promise<void> => {
  const names = new Set(await disk.names(folder));
  for (const left of LEFT) {
    for (const name of names) {
      if (!name.startsWith("group-keys") || !name.endsWith(left)) continue;
      await blankLeft(disk, join(folder, name), join(folder, name.slice(0, -left.length)));
    }
  }
};

/** Reads the encrypted keys in a file; none if there is no file. */
export const readKeyFile = async (disk: Disk, path: string): Promise<Map<string, Uint8Array>> => {
  const entries = Object.entries(fileSchema.parse(JSON.parse((await disk.read(path)) ?? "{}")));
  return new Map(entries.map(([group, sealed]) => [group, new Uint8Array(Buffer.from(sealed, "base64"))]));
};

export const textOfKeys = (keys: ReadonlyMap<string, Uint8Array>): string =>
  JSON.stringify(
    Object.fromEntries([...keys].map(([group, sealed]) => [group, Buffer.from(sealed).toString("base64")])),
  );

/**
 * Replaces a file of keys; it is on disk when it resolves. A change links the old file to a second name, renames the new file
 * into its place, and overwrites the old file's bytes. A crash at any moment leaves either the old or the new file complete.
 */
export const replaceKeyFile = async (disk: Disk, path: string, text: string): Promise<void> => {
  const [next, old] = [`${path}.next`, `${path}.old`];
  await disk.write(next, text);
  await disk.remove(old);
  await disk.link(path, old);
  await disk.rename(next, path);
  await disk.syncFolder(path);
  await disk.blank(old);
  await disk.remove(old);
};
