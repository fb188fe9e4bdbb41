import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectedFault } from "@conclave/chaos";
import { ERRORS } from "@conclave/custody";
import { openTable, type Table } from "@conclave/platform";
import { stateLayout } from "@conclave/testbed";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SignerStores } from "./signer-stores.ts";

/** A pid that no process has. */
const PID = 2 ** 30;
const ALTERED = `signer: Another changed the store. ${ERRORS.StoreAltered.remedy} (StoreAltered)\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-stores-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const vault = (): string => join(stateLayout(folder).signer(2), "vault");

const inStore = async <T>(store: string, work: (table: Table) => Promise<T>): Promise<T> => {
  mkdirSync(store, { recursive: true });
  const table = await openTable(store);
  if (!table.ok) throw new Error(table.problem.message);
  try {
    return await work(table.value);
  } finally {
    await table.value.close();
  }
};
const put = (...names: readonly string[]): Promise<void> =>
  inStore(vault(), async (table) => {
    for (const name of names) await table.put(name, Buffer.from(`of ${name}`), { sync: true });
  });
const namesIn = (store: string): Promise<readonly string[]> =>
  inStore(store, async (table) => {
    const names: string[] = [];
    for await (const [name] of table.iterator({ gte: "", lt: "\u{10ffff}" })) names.push(name);
    return names;
  });

type StoreFault = Extract<InjectedFault, { kind: "store" }>;
const loses = (entry: string): StoreFault => ({
  kind: "store",
  signer: 2,
  change: { kind: "loses", entry },
});
const goesBack = (byMs: number): StoreFault => ({
  kind: "store",
  signer: 2,
  change: { kind: "goes back", byMs },
});

/** Store faults of a signer that logs a test's words at each start, and then exits. */
const scripted = (faults: readonly InjectedFault[], said: readonly string[] = [ALTERED]) => {
  const done: string[] = [];
  const left = [...said];
  let state: "running" | "exited" = "running";
  const layout = stateLayout(folder);
  mkdirSync(layout.logs, { recursive: true });
  appendFileSync(layout.log("signer-2"), `an earlier run: ${ALTERED}`);
  const end = async () => {
    done.push("end");
    state = "exited";
    return async () => {
      done.push("heal");
      state = "running";
    };
  };
  const stores = new SignerStores(
    {
      layout,
      status: () => [{ name: "signer-2", state, pid: PID }],
      pause: () => undefined,
      resume: () => undefined,
      kill: async () => void done.push("kill"),
    },
    {
      end,
      startAlone: async (name) => {
        done.push("start");
        appendFileSync(layout.log(name), left.shift() ?? "");
      },
    },
    {
      folder: join(folder, "run"),
      faults,
      seed: 7,
      giveNewShares: async (...command) => void done.push(command.join(" ")),
      report: (words) => void done.push(words),
    },
  );
  return { stores, done };
};

it("a store loses one entry of a kind, and its signer stays away until it is given new shares", async () => {
  await put("record/key/1", "record/request/1", "record/request/2", "vault/2/root");
  const { stores, done } = scripted([loses("request/*")]);
  using _ = stores;
  await (await stores.begin(loses("request/*")))();
  const left = await namesIn(vault());
  expect(left).toHaveLength(3);
  const [lost] = ["record/request/1", "record/request/2"].filter((name) => !left.includes(name));
  expect(lost).toBeDefined();
  const noticed = ["end", `signer-2 has lost ${lost}`, "start", "signer-2 has noticed it, and ended"];
  expect(done).toEqual(noticed);
  await expect(stores.begin(goesBack(1_000))).rejects.toThrow("waits for new shares");

  expect(await stores.mend()).toEqual([]);
  const mended = ["kill", "heal", "reprovision signer-2", "signer-2 has new shares"];
  expect(done.slice(noticed.length)).toEqual(mended);
  expect(existsSync(vault())).toBe(false);
  const [past] = stores.past;
  expect(past?.index).toBe(2);
  // so that the test can read the store's records
  expect(await namesIn(past?.folder ?? "")).toContain(lost);
  expect(await stores.mend()).toEqual([]);
});

it("INV-4 tells of a signer that wrote again what its store had lost", async () => {
  await put("record/request/1");
  const { stores } = scripted([loses("request/1")]);
  using _ = stores;
  await stores.begin(loses("request/1"));
  await put("record/request/1");
  expect(await stores.mend()).toEqual(["record/request/1 of signer-2"]);
});

it("waits for an entry to lose, and for a start at which the signer names the remedy", async () => {
  await put("record/request/1");
  const signed = join(folder, "signed");
  renameSync(vault(), signed);
  await put("vault/2/root");
  const says = ["killed by another fault\n", "Another changed the store (StoreAltered)\n", ALTERED];
  const { stores, done } = scripted([loses("request/*")], says);
  using _ = stores;
  const begun = stores.begin(loses("request/*"));
  rmSync(vault(), { recursive: true });
  renameSync(signed, vault());
  await begun;
  expect(done.filter((words) => words === "start")).toHaveLength(says.length);
});

it("loses exactly the named entry if the store identifies itself by it", async () => {
  await put("record/vault/2/root", "vault/2/root", "vault/2/rooted", "~00001");
  const { stores } = scripted([]);
  using _ = stores;
  await stores.begin(loses("vault/2/root"));
  expect(await namesIn(vault())).toEqual(["record/vault/2/root", "vault/2/rooted", "~00001"]);
});

it("a store goes back to what it was, and what it was before that is kept", async () => {
  await put("record/request/1");
  const { stores, done } = scripted([goesBack(60_000)]);
  using _ = stores;
  await put("record/request/2");
  await (await stores.begin(goesBack(60_000)))();
  expect(done).toEqual(["end", "heal"]);
  expect(await namesIn(vault())).toEqual(["record/request/1"]);
  const [past] = stores.past;
  expect(await namesIn(past?.folder ?? "")).toEqual(["record/request/1", "record/request/2"]);
});

it("a store of which the plan did not say that it goes back has no copies", async () => {
  await put("record/request/1");
  const { stores, done } = scripted([loses("request/*")]);
  using _ = stores;
  await expect(stores.begin(goesBack(1_000))).rejects.toThrow("no store of signer-2 was copied");
  expect(done).toEqual([]);
});
