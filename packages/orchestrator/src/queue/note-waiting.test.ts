import { makeLogger, readTransfer } from "@conclave/platform";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startWorld, type World } from "../testing/world.ts";
import { makeWaitNotes } from "./note-waiting.ts";

const logger = makeLogger({ name: "orchestrator", level: "silent" });
let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

it("INV-5 requests that wait behind another one tell why, and again when there is another reason", async () => {
  const wallet = await world.wallet();
  const [head, next] = [await world.transfer(wallet), await world.transfer(wallet)];
  let shortage: string | undefined;
  const round = makeWaitNotes(world.orchestratorDatabase, () => shortage, logger);
  const reasons = async () => {
    await round();
    const both = await Promise.all([head, next].map(({ id }) => readTransfer(world.database, id)));
    return both.map((transfer) => [transfer?.status, transfer?.reason]);
  };
  const waiting = ["Executing", "waiting for an earlier request of the wallet"];
  // the head's own step records its reason
  expect(await reasons()).toEqual([["Pending", undefined], waiting]);
  shortage = "waiting for signers: 2 of the 3 needed are live";
  expect(await reasons()).toEqual([
    ["Pending", undefined],
    ["Executing", shortage],
  ]);
  shortage = undefined;
  expect(await reasons()).toEqual([["Pending", undefined], waiting]);
});
