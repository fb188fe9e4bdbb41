import type { Figure, Section } from "./figure.ts";

const tssEcdsa = (parties: number, value: number): Figure => ({
  name: `published.tss-ecdsa.presigning.${parties}`,
  unit: "ms",
  label: `tss-ecdsa (Rust, GMP), presigning, CPU of one of ${parties} parties`,
  value,
  note: "CGGMP20, moduli not stated; Ryzen 9 3900X, December 2022",
});

/**
 * Published numbers of other projects for the same kind of work. No two are comparable directly: security level, protocol,
 * machine and the measured work differ; docs/benchmarks.md explains how.
 */
export const PUBLISHED_FIGURES: Section = {
  title: "Published by others, each on its own hardware",
  isQuoted: true,
  figures: [
    tssEcdsa(3, 289),
    tssEcdsa(6, 700),
    tssEcdsa(9, 1145),
    {
      name: "published.cggmp21.signing",
      unit: "ms",
      label: "LFDT cggmp21 (Rust), one signature, wall clock",
      value: 584,
      note: "a user's report, probably 2 signers; the same 128-bit level; a Mac",
    },
    {
      name: "published.silencelabs.signing.m1",
      unit: "ms",
      label: "silencelabs ecdsa-tss (JavaScript), one signature, 2 of 2",
      value: 98,
      note: "Lindell's two-party protocol: no threshold, far fewer proofs; Apple M1 (539 ms on an i5-6500)",
    },
    {
      name: "published.cait-sith.triples",
      unit: "ms",
      label: "Cait-Sith (Rust), the two triples of one presignature, 3 of 3",
      value: 73,
      note: "oblivious transfer instead of Paillier; all parties on one i5-4690K, no network",
    },
    {
      name: "published.near.triples",
      unit: "ms",
      label: "near OT-ECDSA (Rust), the two triples of one presignature, one of 7",
      value: 199,
      note: "oblivious transfer: 595 KB of traffic; Ryzen 7 7730U",
    },
  ],
};
