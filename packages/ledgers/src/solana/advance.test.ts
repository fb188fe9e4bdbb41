import { expect, it } from "vitest";
import { parseAgaveAddress } from "./address.ts";
import { type AgaveEvent, advanceSolana } from "./advance.ts";
import { loadLiteSvmEngine } from "./engine/lite-svm.ts";
import { makeAgaveGenesis } from "./genesis.ts";
import { type AgaveState, openSolanaLedger } from "./state.ts";

const START = 1_795_132_800;
const RECEIVER = parseAgaveAddress("7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV") ?? expect.fail();
const EVENTS: readonly AgaveEvent[] = [
  { kind: "fund", address: RECEIVER, lamports: 5_000_000n },
  { kind: "mine", time: START + 1 },
  { kind: "fund", address: RECEIVER, lamports: 6_000_000n },
  { kind: "mine", time: START + 1 },
  { kind: "reorg", depth: 1 },
  { kind: "mine", time: START + 2 },
];

it("equal events give equal ledgers, whatever an engine ran before, and leave the state before as it was", async () => {
  const [one, other] = [await loadLiteSvmEngine(), await loadLiteSvmEngine()];
  const open = (): AgaveState => openSolanaLedger(makeAgaveGenesis("conclave", "tests"), START);
  const run = (engine: typeof one): AgaveState =>
    EVENTS.reduce((state, event) => advanceSolana(engine, state, event).state, open());
  const first = run(one);
  const copy = structuredClone(first);
  expect(run(one)).toEqual(first);
  expect(run(other)).toEqual(first);
  expect(first).toEqual(copy);
  expect(first.accounts.get(RECEIVER)?.lamports).toBe(11_000_000n);
});

it("chains and seeds tell ledgers apart", () => {
  const hashes = [
    makeAgaveGenesis("a", "seed"),
    makeAgaveGenesis("b", "seed"),
    makeAgaveGenesis("a", "another seed"),
  ].map(({ hash }) => hash);
  expect(new Set(hashes).size).toBe(3);
  expect(() => makeAgaveGenesis("a".repeat(65), "seed")).toThrow("at most 64 characters");
});
