import {
  type ChainRequest,
  type ChainRequestId,
  organisationIdSchema,
  REPLACED_MAX,
  transferIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { openLogins } from "../../testing/index.ts";
import { sampleTransfer } from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { insertChainRequest, readChainRequest } from "./chain-requests.ts";
import { replacedBefore } from "./replacement-chain.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "lines" });

const { owner, close } = await openLogins();
beforeAll(async () => {
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(owner, wallet);
});
afterAll(close);

const stored = async (replacesId?: ChainRequestId): Promise<ChainRequestId> => {
  const id = freshId(transferIdSchema, "xfr");
  await insertChainRequest(owner, { ...sampleTransfer(wallet, { id }), replacesId });
  return id;
};
const found = async (id: ChainRequestId): Promise<ChainRequest> =>
  (await readChainRequest(owner, id)) ?? expect.fail(`${id} is gone`);
const before = async (request: Pick<ChainRequest, "id" | "replacesId">) => {
  const ids: ChainRequestId[] = [];
  for await (const { id } of replacedBefore(owner, request)) ids.push(id);
  return ids;
};

describe("the requests whose place one took", () => {
  it("come newest first, down to the one that took no place", async () => {
    const first = await stored();
    const second = await stored(first);
    const third = await stored(second);
    expect(await before(await found(third))).toEqual([second, first]);
    expect(await before(await found(first))).toEqual([]);
  });

  it("are read up to the longest possible replacement chain where rows form a circle, which is reported", async () => {
    const first = await stored();
    const second = await stored(first);
    await owner.execute("update chain_requests set replaces_id = $2 where id = $1", [first, second]);
    let read = 0;
    const walk = async () => {
      for await (const _ of replacedBefore(owner, await found(second))) read += 1;
    };
    await expect(walk()).rejects.toThrow(`the record ${second} cannot be read: replaces_id`);
    expect(read).toBe(REPLACED_MAX);
  });
});
