/** A file of tests that the gate leaves out for its time; `make long-tests` runs it. */
export interface LongTest {
  readonly file: string;
  /** shorter tests of the gate that hold the same rules, with fewer cases */
  readonly inGate: readonly string[];
}

/** Every case of a long list, or of all families: the gate holds the same rules by fewer cases. */
export const LONG_TESTS: readonly LongTest[] = [
  {
    file: "packages/threshold/src/presign/presign.mutation.test.ts",
    inGate: [
      "packages/threshold/src/presign/cheating.test.ts",
      "packages/threshold/src/presign/dispute.test.ts",
    ],
  },
  {
    file: "packages/threshold/src/auxiliary/auxiliary.mutation.test.ts",
    inGate: [
      "packages/threshold/src/auxiliary/auxiliary.test.ts",
      "packages/threshold/src/blame/tampering.test.ts",
    ],
  },
  {
    file: "packages/threshold/src/reshare/reshare.mutation.test.ts",
    inGate: ["packages/threshold/src/reshare/cheating.test.ts"],
  },
  {
    file: "packages/threshold/src/testing/decoders/any-strings.test.ts",
    inGate: ["packages/threshold/src/testing/decoders/bent-fields.test.ts"],
  },
  {
    file: "packages/threshold/src/blame/large-evidence.test.ts",
    inGate: ["packages/threshold/src/presign/dispute-evidence.test.ts"],
  },
  {
    file: "packages/cluster/src/cluster-roster-change.test.ts",
    inGate: ["packages/cluster/src/cluster-roster-change-epochs.test.ts"],
  },
  {
    file: "packages/cluster/src/cluster-roster-change-crash.test.ts",
    inGate: ["packages/cluster/src/cluster-key-change-crash.test.ts"],
  },
  {
    file: "packages/gateway/src/fuzz/fuzz.test.ts",
    inGate: [
      "packages/gateway/src/fuzz/costly-bodies.test.ts",
      "packages/gateway/src/fuzz/every-operation.test.ts",
    ],
  },
  {
    file: "packages/gateway/src/fuzz/unreadable-rows.test.ts",
    inGate: ["packages/gateway/src/fuzz/unreadable-sweeps.test.ts"],
  },
  {
    file: "packages/orchestrator/src/unreadable-sweeps.test.ts",
    inGate: ["packages/gateway/src/fuzz/unreadable-sweeps.test.ts"],
  },
  {
    file: "packages/orchestrator/src/chain-requests/gathered-coins.test.ts",
    inGate: [
      "test/integration/gathered-coins.test.ts",
      "packages/orchestrator/src/chain-requests/bitcoin.test.ts",
    ],
  },
  {
    file: "packages/platform/src/vault/epoch-secrets.test.ts",
    inGate: ["packages/platform/src/vault/vault.test.ts"],
  },
  {
    file: "packages/simulator/src/world/faulty-worlds.test.ts",
    inGate: ["packages/simulator/src/campaign/many-worlds.test.ts"],
  },
  {
    file: "packages/simulator/src/world/attacked-world.test.ts",
    inGate: ["packages/simulator/src/campaign/many-worlds.test.ts"],
  },
  {
    file: "test/integration/families.test.ts",
    inGate: ["test/compat/compat.test.ts", "test/integration/further-family.test.ts"],
  },
  {
    file: "test/integration/many-keys.test.ts",
    inGate: ["test/integration/shared.test.ts"],
  },
  {
    file: "test/integration/installed-program.test.ts",
    inGate: ["test/integration/packed-program.test.ts"],
  },
];
