import {
  keyIdSchema,
  moves,
  NATIVE_ASSET,
  organisationIdSchema,
  type Policy,
  policyIdSchema,
  type SigningActivity,
} from "@conclave/custody";
import { expect, it } from "vitest";
import { evaluateInPieces } from "./evaluate.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const id = (prefix: string) => `${prefix}-aaaaa-bbbbb-${"x".repeat(16)}`;

const whitelist = (addresses: readonly string[]): Policy => ({
  id: policyIdSchema.parse(id("plc")),
  orgId: organisationIdSchema.parse(id("or")),
  status: "Active",
  body: {
    name: "whitelist",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionRecipientWhitelist", configuration: { addresses: [...addresses] } },
    action: { kind: "Block" },
  },
  dateCreated: NOW,
  dateUpdated: NOW,
});

it("K8 lets other requests go on while it spells a long whitelist, all of which looks like the recipient", async () => {
  let [spelled, most, slept] = [0, 0, 0];
  const activity: SigningActivity = {
    kind: "Wallets:Sign",
    keyId: keyIdSchema.parse(id("key")),
    wallets: [],
    effects: moves({ asset: NATIVE_ASSET, amount: "1", recipient: "friend" }),
    spell: (text) => {
      spelled += 1;
      return text;
    },
    addressKeys: { ofEntry: () => "alike", ofAddress: () => ["alike"] },
  };
  const sleep = async (): Promise<void> => {
    slept += 1;
    most = Math.max(most, spelled);
    spelled = 0;
  };
  const policies = [whitelist(Array.from({ length: 10_000 }, (_, at) => `alike ${at}`))];
  const first = await evaluateInPieces({ sleep }, policies, activity, undefined);
  expect([first.kind, slept > 100, most <= 65]).toEqual(["Blocked", true, true]);

  slept = 0;
  expect(await evaluateInPieces({ sleep }, policies, activity, undefined)).toEqual(first);
  await evaluateInPieces({ sleep }, [whitelist(["friend", "foe"])], activity, undefined);
  expect(slept).toBe(0);
});
