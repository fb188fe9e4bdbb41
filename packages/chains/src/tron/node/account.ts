import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { TronSender } from "../situation.ts";
import { count } from "./blocks.ts";
import { tronHexAddress } from "./hex-address.ts";
import { askTron, findTron, type TronHttp } from "./http.ts";

const hexAddress = z.string().regex(/^41[0-9a-f]{40}$/);
const one = z.bigint().positive().default(1n);

const accountSchema = z.object({
  balance: count,
  /** "Contract" for a contract's account */
  type: z.string().optional(),
  assetV2: z.array(z.object({ key: z.string(), value: count })).default([]),
  owner_permission: z
    .object({
      threshold: one,
      keys: z.array(z.object({ address: hexAddress, weight: count })).default([]),
    })
    .optional(),
});

const resourceSchema = z.object({
  freeNetLimit: count,
  freeNetUsed: count,
  NetLimit: count,
  NetUsed: count,
  EnergyLimit: count,
  EnergyUsed: count,
});

/** A node's answer about an account. */
export interface TronAccountState {
  /** sun */
  readonly balance: bigint;
  readonly isContract: boolean;
  /** whether the address's own key alone can sign for it */
  readonly isOwn: boolean;
  /** balances of TRC-10 tokens, by id */
  readonly tokens: ReadonlyMap<string, bigint>;
}

/** @returns undefined if the account does not exist yet */
export const tronAccountState = async (
  http: TronHttp,
  address: string,
): Promise<Result<TronAccountState | undefined>> => {
  const found = await findTron(http, {
    path: "/wallet/getaccount",
    body: { address: tronHexAddress(address) },
    // an answer with another address is not about this account, and its zero is no balance
    schema: accountSchema.extend({ address: z.literal(tronHexAddress(address)) }),
  });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { balance, type, assetV2, owner_permission: owner } = found.value;
  const weight = owner?.keys.find((key) => key.address === tronHexAddress(address))?.weight ?? 0n;
  return ok({
    balance,
    isContract: type === "Contract",
    isOwn: owner === undefined || weight >= owner.threshold,
    tokens: new Map(assetV2.map(({ key, value }) => [key, value])),
  });
};

const left = (limit: bigint, used: bigint): bigint => (limit > used ? limit - used : 0n);

/** The resources that an account can use without burning TRX. */
export const tronResources = async (
  http: TronHttp,
  address: string,
): Promise<Result<Pick<TronSender, "freeBandwidth" | "stakedBandwidth" | "energy">>> => {
  const found = await askTron(http, {
    path: "/wallet/getaccountresource",
    body: { address: tronHexAddress(address) },
    schema: resourceSchema,
  });
  if (!found.ok) return found;
  const { freeNetLimit, freeNetUsed, NetLimit, NetUsed, EnergyLimit, EnergyUsed } = found.value;
  return ok({
    freeBandwidth: left(freeNetLimit, freeNetUsed),
    stakedBandwidth: left(NetLimit, NetUsed),
    energy: left(EnergyLimit, EnergyUsed),
  });
};
