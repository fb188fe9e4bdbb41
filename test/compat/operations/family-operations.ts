import { type AnyWallet, FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompatWorld } from "../compat-world.ts";
import { until } from "../until.ts";

const COINS = "1000";

const text = z.string();
const moved = { to: text, amount: text, memo: text.optional() };
const spl = { to: text, amount: text, mint: text, createDestinationAccount: z.boolean().optional() };
/** The bodies of transfers as the client library types them. */
const bodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Native"), ...moved }),
  z.strictObject({ kind: z.literal("Asa"), assetId: text, to: text, amount: text }),
  z.strictObject({ kind: z.literal("Spl"), ...spl }),
  z.strictObject({ kind: z.literal("Spl2022"), ...spl }),
  z.strictObject({ kind: z.literal("Sep41"), issuer: text, assetCode: text, ...moved }),
  z.strictObject({ kind: z.literal("Trc10"), tokenId: text, to: text, amount: text }),
  z.strictObject({ kind: z.literal("Trc20"), contract: text, to: text, amount: text }),
  z.strictObject({ kind: z.literal("Trc721"), contract: text, to: text, tokenId: text }),
]);

/** Transfer kinds of non-fungible tokens, which the API lists as NFTs, not as assets. */
const ONE_OF_A_KIND: ReadonlySet<string> = new Set(["Trc721"]);

/** client.wallets on the chain families other than EVM: each of their kinds of transfer. */
export const familyOperations = (world: () => CompatWorld): void => {
  // concurrently, because each mostly waits for its chain
  describe.concurrent.each(FAMILY_DRIVERS.map((driver) => [driver.network, driver] as const))(
    "client.wallets on %s",
    (network, driver) => {
      let wallet: AnyWallet;
      beforeAll(async () => {
        wallet = await makeWallet(world().cluster, network, COINS);
      });

      it("transfers each kind, signed by two of three, for the fee that it says; assets and history show it", async () => {
        const { service } = world();
        const walletId = wallet.id;
        const kinds = await driver.kinds(wallet.urls, wallet);
        for (const { kind, body, expected } of kinds) {
          const asked = await service.wallets.transferAsset({ walletId, body: bodySchema.parse(body) });
          expect(asked).toMatchObject({ network, requestBody: body });
          const done = await until("Confirmed", () =>
            service.wallets.getTransfer({ walletId, transferId: asked.id }),
          );
          const seen = await driver.read(wallet.urls, done.txHash ?? "");
          const { address: sender } = wallet;
          const paid = { sender, fee: BigInt(done.fee ?? -1), isSigned: true };
          expect([kind, seen]).toMatchObject([kind, { ...expected, ...paid }]);
        }
        const { assets } = await service.wallets.getWalletAssets({ walletId });
        const fungible = kinds.map(({ kind }) => kind).filter((kind) => !ONE_OF_A_KIND.has(kind));
        expect(assets.map(({ kind }) => kind).sort()).toEqual([...new Set(fungible)].sort());
        const { items } = await service.wallets.getWalletHistory({ walletId });
        const sent = items.filter(({ direction }) => direction === "Out");
        const { coinEvent = "NativeTransfer" } = driver;
        const events = kinds.map(({ kind }) => (kind === "Native" ? coinEvent : `${kind}Transfer`));
        expect(sent.map(({ kind }) => kind)).toEqual(events.reverse());
      });
    },
  );
};
