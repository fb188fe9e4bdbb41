import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  CLIENT_EVENT_KINDS,
  pythonEventKinds,
  readEventKinds,
  textOfKinds,
} from "../../house/client-event-kinds.ts";
import {
  CLIENT_OPERATIONS,
  PYTHON_CLIENT,
  pythonOperations,
  readClientLists,
  textOfLists,
} from "../../house/client-operations.ts";
import {
  CLIENT_PERMISSION_NAMES,
  pythonPermissionNames,
  textOfNames,
} from "../../house/client-permission-names.ts";
import { type CompatWorld, freshReceiver } from "../compat-world.ts";
import { until } from "../until.ts";
import type { PythonAccess, PythonClient } from "./python-client.ts";

const walletSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  signingKey: z.looseObject({ id: z.string() }),
});
const requestSchema = z.looseObject({ id: z.string(), status: z.string(), reason: z.string().optional() });
const idSchema = z.looseObject({ id: z.string() });

/** Tests the Python client by its own operation names and with its own signer. */
export const pythonOnly = (world: () => CompatWorld, python: () => PythonClient): void => {
  const access = (): PythonAccess => {
    const { api, developer } = world().cluster.description;
    const { token, credential } = developer;
    const privateKey = readFileSync(credential.keyFile, "utf8");
    return { baseUrl: api.url, token, credential: { id: credential.id, privateKey } };
  };
  /** The result of an operation. @throws the client's exception */
  const value = async (operation: string, named: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const answer = await python().call(access(), operation, named);
    if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
    return answer.value;
  };

  describe("the Python client from PyPI", () => {
    it("has the operations that are listed; WRITE_API_TABLE=1 lists them", () => {
      const own = pythonOperations(python().folder);
      const text = textOfLists({ ...readClientLists(), [PYTHON_CLIENT]: own });
      if (process.env["WRITE_API_TABLE"] === "1") writeFileSync(CLIENT_OPERATIONS, text);
      expect(readFileSync(CLIENT_OPERATIONS, "utf8")).toBe(text);
    });

    it("has the kinds of events that are listed; WRITE_API_TABLE=1 lists them", () => {
      const text = textOfKinds({ ...readEventKinds(), [PYTHON_CLIENT]: pythonEventKinds(python().folder) });
      if (process.env["WRITE_API_TABLE"] === "1") writeFileSync(CLIENT_EVENT_KINDS, text);
      expect(readFileSync(CLIENT_EVENT_KINDS, "utf8")).toBe(text);
    });

    it("has the names of permissions' operations that are listed; WRITE_API_TABLE=1 lists them", () => {
      const text = textOfNames({ [PYTHON_CLIENT]: pythonPermissionNames(python().folder) });
      if (process.env["WRITE_API_TABLE"] === "1") writeFileSync(CLIENT_PERMISSION_NAMES, text);
      expect(readFileSync(CLIENT_PERMISSION_NAMES, "utf8")).toBe(text);
    });

    it("creates a wallet, signs with its key, and transfers", async () => {
      const body = { network: "KeyEdDSA", name: PYTHON_CLIENT };
      const made = walletSchema.parse(await value("wallets.create_wallet", { body }));
      const read = walletSchema.parse(await value("wallets.get_wallet", { wallet_id: made.id }));
      expect(read).toMatchObject({ name: PYTHON_CLIENT });
      const signed = await value("keys.generate_signature", {
        key_id: made.signingKey.id,
        body: { kind: "Message", message: "0x6869" },
      });
      expect(signed).toMatchObject({ status: "Signed" });
      const wallet_id = world().treasury.id;
      const native = { kind: "Native", to: freshReceiver(), amount: "1" };
      const { id } = idSchema.parse(await value("wallets.transfer_asset", { wallet_id, body: native }));
      const done = await until("Confirmed", async () =>
        requestSchema.parse(await value("wallets.get_transfer", { wallet_id, transfer_id: id })),
      );
      expect(done.id).toBe(id);
    });

    it("creates a policy, a permission and a webhook, and takes them away", async () => {
      const rule = { kind: "AlwaysTrigger" };
      const filters = { walletId: { in: [world().treasury.id] } };
      const policy = idSchema.parse(
        await value("policies.create_policy", {
          body: {
            name: "none",
            activityKind: "Wallets:Sign",
            rule,
            action: { kind: "Block" },
            filters,
          },
        }),
      );
      expect(await value("policies.delete_policy", { policy_id: policy.id })).toMatchObject({
        status: "Archived",
      });
      const permission = idSchema.parse(
        await value("permissions.create_permission", {
          body: { name: "readers", operations: ["Wallets:Read"] },
        }),
      );
      await value("permissions.delete_permission", { permission_id: permission.id });
      expect(await value("permissions.get_permission", { permission_id: permission.id })).toMatchObject({
        isArchived: true,
      });
      const webhook = idSchema.parse(
        await value("webhooks.create_webhook", {
          body: { url: "https://hooks.example", events: ["wallet.created"] },
        }),
      );
      expect(await value("webhooks.delete_webhook", { webhook_id: webhook.id })).toEqual({ deleted: true });
    });

    it("raises its own error, with a reason, for what is not served and for what this service does not know", async () => {
      const asked = async (operation: string, named: Readonly<Record<string, unknown>>) =>
        python().call(access(), operation, named);
      expect(await asked("vaults.create_vault", { body: { name: "v" } })).toMatchObject({
        status: 501,
        message: expect.stringMatching(/^A vault is a ledger/),
        details: { code: "OperationNotServed", operation: "createVault" },
      });
      expect(await asked("wallets.create_wallet", { body: { network: "Rayls" } })).toMatchObject({
        status: 400,
        details: { code: "NetworkNotEnabled", remedy: expect.any(String) },
      });
      const named = { network: "EthereumSepolia", external_id: "x" };
      expect(await asked("wallets.create_wallet", { body: named })).toMatchObject({
        status: 400,
        details: { code: "InvalidBody", issues: [{ path: "external_id" }] },
      });
    });
  });
};
