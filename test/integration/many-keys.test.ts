import { join } from "node:path";
import { ToyChain } from "@conclave/chains/testing";
import { keyIdSchema } from "@conclave/custody";
import { connectSigners } from "@conclave/orchestrator";
import { everyKey, freshId, heldKey, loadPassphrase, type SignerClient } from "@conclave/platform";
import { groupKeysIn, openTable, Vault } from "@conclave/platform/vault";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  makePremises,
  orchestratorConfig,
  type Premises,
  type RunningCluster,
  startCluster,
} from "./further-family/cluster.ts";
import { conclave } from "./liars/operators-command.ts";
import { PATIENCE_MS } from "./patience.ts";

const HOUR_MS = 3_600_000;
const HASH = `0x${"5a".repeat(32)}`;
/** More than twice the number of keys in one message. */
const KEYS = 20_000;
const WRITTEN_AT_ONCE = 1_000;
/** The signer that loses one key. */
const FORGETFUL = 2;

const keySchema = z.object({ id: keyIdSchema, status: z.literal("Active") });

let premises: Premises;
let cluster: RunningCluster;
let signers: readonly SignerClient[];
let keyId: string;
let forgotten: string;

const makeKey = async (): Promise<string> => {
  const made = await cluster.api.sendUntilServed("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  const key = keySchema.safeParse(made.body);
  // a failed test shows the answer, which holds the reason
  return key.success ? key.data.id : expect.fail(JSON.stringify(made));
};

const sign = async (id: string): Promise<void> => {
  const answer = await cluster.api.send("POST", `/keys/${id}/signatures`, { kind: "Hash", hash: HASH });
  expect(answer.body).toMatchObject({ status: "Signed" });
};

/** Stores the key's share in a signer under all these names, and erases its share of another key. */
const fill = async (index: number, names: readonly string[], lost: string | undefined): Promise<void> => {
  const folder = premises.layout.signer(index);
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const vaultFolder = join(folder, "vault");
  const table = await openTable(vaultFolder);
  if (!table.ok) throw new Error(table.problem.message);
  const vault = await Vault.open(table.value, passphrase.value, groupKeysIn(vaultFolder));
  if (!vault.ok) throw new Error(vault.problem.message);
  const records = await vault.value.list();
  if (!records.ok) throw new Error(records.problem.message);
  const own =
    records.value.find(({ record }) => record === `key/${keyId}`) ?? expect.fail("it holds the key");
  // in one group, because a file for each would take a minute, and no test refreshes these keys
  const { record, value } = own;
  const puts = names.map((name) => ({ record: record.replace(keyId, name), value, group: "many" }));
  for (let from = 0; from < puts.length; from += WRITTEN_AT_ONCE) {
    await vault.value.batch({ puts: puts.slice(from, from + WRITTEN_AT_ONCE), erases: [], sync: false });
  }
  const erases = lost === undefined ? [] : [own.record.replace(keyId, lost)];
  // removed, as in a store of an older version: the signer counts its keys again, and writes their facts
  const derived = records.value
    .map(({ record }) => record)
    .filter((name) => /^key-(facts|tally)\//.test(name));
  await vault.value.batch({ puts: [], erases: [...erases, ...derived], sync: true });
  await vault.value.close();
};

beforeAll(async () => {
  premises = await makePremises();
  const chain = new ToyChain(Date.now() - HOUR_MS);
  cluster = await startCluster(premises, chain, 0);
  [keyId, forgotten] = [await makeKey(), await makeKey()];
  await cluster.stop();
  const names = Array.from({ length: KEYS }, () => freshId(keyIdSchema, "key"));
  for (const { index } of premises.roster.signers) {
    await fill(index, names, index === FORGETFUL ? forgotten : undefined);
  }
  cluster = await startCluster(premises, chain, 0);
  signers = connectSigners(await orchestratorConfig(premises, 0)).filter(
    (signer): signer is SignerClient => "getKeyInfo" in signer,
  );
});
afterAll(async () => {
  for (const signer of signers ?? []) signer.close();
  await cluster?.stop();
  await premises?.leave();
});

const epochs = async (id: string): Promise<readonly number[]> =>
  Promise.all(
    signers.map(async (signer) => {
      const key = await heldKey(signer, id);
      return key.ok ? key.value.epoch : expect.fail(key.problem.message);
    }),
  );

/** Runs a command, and repeats it while it says to try again: on a busy machine signers may answer too late. */
const operate = async (...words: readonly string[]): Promise<string> => {
  const run = () => conclave(premises, ...words, "--state", premises.layout.root);
  let said = await run();
  await expect
    .poll(async () => {
      if (said.code !== 0 && said.out.includes("try again")) said = await run();
      return [said.code, said.out];
    })
    .toEqual([0, expect.any(String)]);
  return said.out;
};

describe("beside 20 000 keys", () => {
  it("a signer says in pages all that it holds, and its status stays small", async () => {
    for (const signer of signers) {
      const keyCount = KEYS + 2 - (signer.index === FORGETFUL ? 1 : 0);
      // a busy machine may break a connection: the poll calls again
      const held = async () => {
        const all = await everyKey(signer, "all");
        return all.ok ? all.value.size : all.problem.message;
      };
      await expect.poll(held).toBe(keyCount);
      await expect.poll(() => signer.getStatus()).toMatchObject({ ok: true, value: { keyCount } });
    }
  });

  it("a key is made, and signs", async () => {
    const made = await makeKey();
    expect(await epochs(made)).toEqual([1, 1, 1]);
    await sign(made);
  });

  it(
    "one key is refreshed",
    async () => {
      // the command also renews the auxiliary information, which concerns no single key: its outcome is not checked here
      const { out } = await conclave(premises, "refresh", "--key", keyId, "--state", premises.layout.root);
      expect(out).toContain(`${keyId}: new shares at all 3 signers, epoch 2`);
      expect(await epochs(keyId)).toEqual([2, 2, 2]);
      await sign(keyId);
    },
    PATIENCE_MS,
  );

  it(
    "a signer that lost a share gets one again, and an operator hears what waits to be discarded",
    async () => {
      expect(await epochs(forgotten)).toEqual([1, 0, 1]);
      expect(await operate("discard-epochs")).toBe("nothing waits to be discarded\n");
      expect(await operate("reprovision", `signer-${FORGETFUL}`)).toContain(
        `done: signer-${FORGETFUL} was given 1 key`,
      );
      expect(await epochs(forgotten)).toEqual([2, 2, 2]);
      await sign(forgotten);
    },
    PATIENCE_MS,
  );
});
