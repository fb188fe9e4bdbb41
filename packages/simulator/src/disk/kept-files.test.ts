import { describe, expect, it } from "vitest";
import { KeptFiles } from "./kept-files.ts";

const all = (files: KeptFiles): readonly string[] =>
  files
    .paths()
    .map((path) => `${path}=${files.read(path)}`)
    .sort();

/** Replaces a file as the vault does, without the sync of the folder. */
const replace = (files: KeptFiles): void => {
  files.write("/next", "new");
  files.link("/keys", "/old");
  files.rename("/next", "/keys");
};

const written = (): KeptFiles => {
  const files = new KeptFiles();
  files.write("/keys", "old");
  files.sync();
  return files;
};

describe("files on a disk", () => {
  it("have the old file or the new one after a power loss, as far as names were synced", () => {
    const states = [0, 1, 2, 3].map((kept) => {
      const files = written();
      replace(files);
      files.losePower(kept);
      return all(files);
    });
    expect(states).toEqual([
      ["/keys=old"],
      ["/keys=old", "/next=new"],
      ["/keys=old", "/next=new", "/old=old"],
      ["/keys=new", "/old=old"],
    ]);
  });

  it("keep synced names", () => {
    const files = written();
    replace(files);
    files.sync();
    files.losePower(0);
    expect(all(files)).toEqual(["/keys=new", "/old=old"]);
  });

  it("share what is overwritten between the names of a file", () => {
    const files = written();
    files.link("/keys", "/second");
    expect(files.inodeOf("/second")).toBe(files.inodeOf("/keys"));
    files.blank("/second");
    expect(files.read("/keys")).toBe("\0\0\0");
    files.remove("/keys");
    expect([files.read("/keys"), files.inodeOf("/keys")]).toEqual([undefined, undefined]);
    expect(() => files.rename("/keys", "/other")).toThrow("there is no file /keys");
  });

  it("go back to a copy", () => {
    const files = written();
    const copy = files.copy();
    replace(files);
    files.restore(copy);
    files.losePower(0);
    expect(all(files)).toEqual(["/keys=old"]);
  });
});
