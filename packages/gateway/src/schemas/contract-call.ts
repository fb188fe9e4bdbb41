import { abiFunctionSchema, withinRoom } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { bodyErrors, notFoundError } from "./error.ts";

const LONGEST_NETWORK = 100;
const LONGEST_CALL = 131_072;

const LONGEST_NAME = 128;
const MOST_INPUTS = 64;
/** Limit for an ABI: a contract's function has some ten parameters; a tuple of the largest protocols has forty. */
const ABI_ROOM = { values: 1_024, characters: 32_768, depth: 16 };
/**
 * Limit for arguments: 128 KiB of call data have 4096 words, whose encoding takes the main thread too long; a quarter
 * of that is accepted.
 */
const ARGUMENTS_ROOM = { values: 1_024, characters: 150_000, depth: 16 };

const TOKEN = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const contract = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "is not an address")
  .openapi({ description: "The address of the contract", example: TOKEN });
const network = z.string().max(LONGEST_NETWORK);
const hexData = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, "is not hexadecimal with 0x")
  .max(LONGEST_CALL);

export const callFunctionParams = z.object({ network });

/** The body of `callFunction` in SDK 0.8.21. */
export const callFunctionBodySchema = z
  .strictObject({
    contract,
    abi: withinRoom(ABI_ROOM, abiFunctionSchema).describe(
      "The function, as the contract's ABI has it: one that changes nothing",
    ),
    calldata: withinRoom(
      ARGUMENTS_ROOM,
      z.union([
        z.array(z.unknown()).max(MOST_INPUTS),
        z.record(z.string().max(LONGEST_NAME), z.unknown()).meta({ maxProperties: MOST_INPUTS }),
      ]),
    )
      .optional()
      .openapi({
        description: "The arguments: by the names of the inputs, or as a list; integers as digits",
        example: { owner: TOKEN },
      }),
  })
  .openapi("CallFunctionBody");

/** The body of `readContract` in SDKs up to 0.8.3. */
export const readContractBodySchema = z
  .strictObject({
    kind: z.literal("Evm").openapi({ description: "The family of the network", example: "Evm" }),
    network: network.openapi({ description: "The network", example: "EthereumSepolia" }),
    contract,
    data: hexData.openapi({ description: "The encoded call, hex with 0x", example: "0x18160ddd" }),
  })
  .openapi("ReadContractBody");

export const contractAnswerSchema = z
  .object({
    kind: z.literal("Evm").openapi({ description: "The family of the network" }),
    data: z.string().openapi({ description: "What the contract answers, hex with 0x", example: "0x" }),
  })
  .openapi("ContractAnswer");

/** The contract may refuse the call, and need not exist. */
export const callErrors = {
  ...bodyErrors,
  ...notFoundError,
  422: {
    ...notFoundError[404],
    description: "The contract refuses the call, or answers what is not the function's",
  },
} as const;
