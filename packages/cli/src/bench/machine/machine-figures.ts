import { createDiffieHellman, randomBytes } from "node:crypto";
import type { Section } from "../figure.ts";
import { median } from "../statistics.ts";
import { cpuMs } from "./own-cpu.ts";

const MODULUS_BYTES = 768;
const EXPONENT_BYTES = 384;
const RUNS = 15;

/** Makes an odd number whose highest bit is set. */
const randomModulus = (): Buffer => {
  const bytes = randomBytes(MODULUS_BYTES);
  bytes[0] = 0xff;
  bytes[MODULUS_BYTES - 1] = 0xff;
  return bytes;
};

const powerMs = (): number => {
  const engine = createDiffieHellman(randomModulus(), 2);
  const base = Buffer.concat([Buffer.of(0), randomBytes(MODULUS_BYTES - 1)]);
  const samples = Array.from({ length: RUNS }, () => {
    engine.setPrivateKey(randomBytes(EXPONENT_BYTES));
    const before = cpuMs();
    engine.computeSecret(base);
    return cpuMs() - before;
  });
  return median(samples);
};

/**
 * Measures the current speed of this machine by the main operation of presigning: r^N modulo N². Virtual machines share cores
 * with others; divide by this figure to compare two runs.
 */
export const machineFigures = (): Section => ({
  title: "This machine, now",
  figures: [
    {
      name: "machine.power",
      unit: "ms",
      label: "one modular power, 6144-bit modulus, 3072-bit exponent",
      value: powerMs(),
      note: "CPU; scale other runs by it",
    },
  ],
});
