import { Secret } from "@conclave/threshold";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { TestCluster } from "../../testing/cluster.ts";
import { KEY_ID } from "../../testing/fixtures.ts";
import { openAlone } from "../../testing/signer-input.ts";
import { RECORDS, type StoredRecord } from "../records/record.ts";
import { signerStatus } from "../signer.ts";

const cluster = new TestCluster({ seed: "shredding", size: 3, threshold: 2, engine: "tiny" });
const { state, records } = cluster.node(1);

const ready = (id: string, epoch: number): StoredRecord => ({
  record: RECORDS.presignature.name(id),
  value: RECORDS.presignature.write({
    version: 1,
    state: "ready",
    keyId: KEY_ID,
    epoch,
    auxiliaryEpoch: 1,
    signers: [],
    createdAtMs: 0,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    secret: new Secret(utf8ToBytes("nonce")),
  }),
});

test("INV-2 a signer destroys what an older version stored of presignatures in one synced write, the keys of their groups too", () => {
  const { config } = state ?? expect.fail("the signer lives");
  const left = [ready("aa", 1), ready("ab", 1), ready("ac", 2)];
  const stored = [...[...records].map(([record, value]) => ({ record, value })), ...left];
  const opened = openAlone(config, stored, (record) => records.get(record));
  expect(opened.effects.filter(({ kind }) => kind === "batch")).toEqual([
    {
      kind: "batch",
      puts: [],
      erases: left.map(({ record }) => record),
      shreds: [`${KEY_ID}/1/1`, `${KEY_ID}/2/1`],
      sync: true,
    },
  ]);
  expect(signerStatus(opened.state).pool).toMatchObject({ ready: 0, burnt: 3 });
});
