import { randomBytes } from "node:crypto";
import { openSync, readSync } from "node:fs";
import type { World } from "@conclave/custody";

type Source = World["entropy"];

const KERNEL = "/dev/urandom";
let kernelFile: number | undefined;

/** Bytes of the kernel's generator. @throws where the system has none as a file */
export const kernelEntropy: Source = (length) => {
  kernelFile ??= openSync(KERNEL, "r");
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) at += readSync(kernelFile, bytes, at, length - at, null);
  return bytes;
};

/** Bytes that are as random as those of the better one of two sources. */
export const mixed =
  (one: Source, other: Source): Source =>
  (length) => {
    const others = other(length);
    return one(length).map((byte, at) => byte ^ (others[at] ?? 0));
  };

const own: Source = (length) => new Uint8Array(randomBytes(length));

const hasKernel = (): boolean => {
  try {
    return kernelEntropy(1).length === 1;
  } catch {
    return false;
  }
};

/**
 * The randomness of a process: OpenSSL's generator, mixed with the kernel's where there is one to read. The state of the first is in the
 * process's memory, and is seeded anew only after minutes. So two processes that resume from one snapshot draw the same of it, and
 * others of the kernel's (P6), unless that one is in the snapshot as well and does not notice.
 */
export const processEntropy: Source = hasKernel() ? mixed(own, kernelEntropy) : own;
