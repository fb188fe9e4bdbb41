import { ok, type Result } from "@conclave/custody";
import { bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import { recoverPublicKey } from "../../recover.ts";
import type { SentBlocks } from "../../sent-blocks.ts";
import { tronAddressOf } from "../address.ts";
import { attachTronSignature } from "../attach.ts";
import type { TronNetwork } from "../network.ts";
import { tronDigest, tronId } from "../transaction.ts";
import { blockId, genesisBlockOf, headerAt, isShownWhole, lastTronBlock, ofItsContents } from "./blocks.ts";
import { findTron, TRANSACTIONS, type TronHttp, tronAway } from "./http.ts";

const RECOVERY_OFFSET = 27;
const SCALAR_BYTES = 32;

const hexBytes = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .transform((hex) => hexToBytes(hex));
const sentSchema = z.object({ txID: blockId, raw_data_hex: hexBytes, signature: z.tuple([hexBytes]) });
const blockSchema = z
  .object({ transactions: z.array(z.unknown()).default([]) })
  .and(ofItsContents)
  .refine(isShownWhole);

/**
 * Looks for a transaction in all blocks since a time, because nodes do not list an account's transactions. Transactions
 * in a pool are not found.
 */
export const findSentTron = async (
  { genesisBlock }: Pick<TronNetwork, "genesisBlock">,
  http: TronHttp,
  blocks: SentBlocks,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const genesis = await genesisBlockOf(http);
  if (!genesis.ok) return genesis;
  if (genesis.value !== genesisBlock) return tronAway(http.network, "it is of another chain");
  const [solid, last] = [await lastTronBlock(http, "walletsolidity"), await lastTronBlock(http, "wallet")];
  if (!solid.ok) return solid;
  if (!last.ok) return last;
  return blocks.find(
    {
      network: http.network,
      sender,
      last: last.value.height,
      settled: solid.value.height,
      timeMsOf: async (height) => {
        // the genesis block has no real time
        if (height === 0n) return ok(0);
        const header = await headerAt(http, "wallet", height);
        if (!header.ok) return header;
        return header.value === undefined ? forgotten(http, height) : ok(Number(header.value.timeMs));
      },
      sentIn: (height) => sentIn(http, sender, height),
    },
    search,
  );
};

const forgotten = ({ network }: TronHttp, height: bigint): Result<never> =>
  tronAway(network, `it has no block ${height}`);

const sentIn = async (
  http: TronHttp,
  sender: string,
  height: bigint,
): Promise<Result<readonly SentTransaction[]>> => {
  const found = await findTron(http, {
    path: "/wallet/getblock",
    body: { id_or_num: height.toString(), detail: true },
    schema: blockSchema,
    reading: TRANSACTIONS,
  });
  if (!found.ok) return found;
  if (found.value?.block_header.raw_data.number !== height) return forgotten(http, height);
  return ok(found.value.transactions.flatMap((each) => rebuiltTron(each, sender)));
};

/**
 * Rebuilds a transaction that a block shows. @returns an empty list if it is not signed by the account's single key, or
 * is nothing that we sign
 */
const rebuiltTron = (shown: unknown, sender: string): readonly SentTransaction[] => {
  const read = sentSchema.safeParse(shown);
  if (!read.success) return [];
  const { txID, raw_data_hex: unsigned, signature } = read.data;
  const [bytes] = signature;
  const [r, s] = [bytes.slice(0, SCALAR_BYTES), bytes.slice(SCALAR_BYTES, 2 * SCALAR_BYTES)];
  const last = bytes.at(2 * SCALAR_BYTES) ?? 0;
  const recovery = last >= RECOVERY_OFFSET ? last - RECOVERY_OFFSET : last;
  if (tronId(unsigned) !== txID || (recovery !== 0 && recovery !== 1)) return [];
  const made = { scheme: "CGGMP24", r: bytesToNumberBE(r), s: bytesToNumberBE(s), recovery } as const;
  const key = recoverPublicKey(tronDigest(unsigned), made);
  if (!key.ok || tronAddressOf(key.value) !== sender) return [];
  const attached = attachTronSignature(unsigned, [made], [key.value]);
  return attached.ok ? [{ unsigned, ...attached.value }] : [];
};
