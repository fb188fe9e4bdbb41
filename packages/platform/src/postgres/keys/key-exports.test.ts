import { keyExportIdSchema, organisationIdSchema } from "@conclave/custody";
import { expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { freshDatabase } from "../../testing/index.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { openDatabase } from "../database.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { requeueForStore } from "../requests/requeue.ts";
import { insertKeyExport, readKeyExport } from "./key-exports.ts";

it("INV-5 exports that wait end when the bus forgot them: no key leaves for a client that is gone", async () => {
  const dateRequested = "2026-01-02T03:04:05.678Z";
  const orgId = freshId(organisationIdSchema, "or");
  const id = freshId(keyExportIdSchema, "kex");
  const wallet = sampleWallet(orgId);
  const { keyId, requester } = wallet;
  const authorisation = { payload: Uint8Array.of(3), signature: new Uint8Array(64) };
  const database = openDatabase({ url: await freshDatabase(), name: "test" });
  try {
    await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: dateRequested });
    await storeWallet(database, wallet);
    await insertKeyExport(database, { id, orgId, keyId, requester, authorisation, dateRequested });
    await requeueForStore(database, "a new store");
    const problem = { code: "KeyExportFailed" };
    expect(await readKeyExport(database, id)).toMatchObject({ status: "Failed", problem });
  } finally {
    await database.close();
  }
});
