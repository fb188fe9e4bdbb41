import { randomBytes } from "node:crypto";
import { openSync, readSync } from "node:fs";
import type { World } from "@conclave/custody";

type Source = World["entropy"];

const KERNEL = "/dev/urandom";
let kernelFile: number | undefined;

/** Bytes of the kernel's generator. @throws if the system has no such file */
export const kernelEntropy: Source = (length) => {
  kernelFile ??= openSync(KERNEL, "r");
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) at += readSync(kernelFile, bytes, at, length - at, null);
  return bytes;
};

/** Bytes that are as random as those of the better of two sources. */
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
 * The randomness of a process: OpenSSL's generator, XORed with the kernel's if it can be read. OpenSSL's generator
 * keeps its state in the process's memory and reseeds only after minutes, so two processes that resume from one
 * snapshot would draw the same bytes from it. The kernel's bytes differ (P6), unless the kernel is part of the snapshot
 * and does not notice.
 */
export const processEntropy: Source = hasKernel() ? mixed(own, kernelEntropy) : own;
