import { LEDGER_CHAINS, LEDGERS, type LedgerKind, type LedgerOptions } from "@conclave/ledgers";
import { listenSchema, logLevelSchema, readEnvironment } from "@conclave/platform/environment";
import { z } from "zod";

const MOST_MS = 3_600_000;

const number = (most: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, "is no whole number")
    .transform(Number)
    .refine((value) => value <= most, `is above ${most}`);

const environmentSchema = z.object({
  CONCLAVE_LEDGER: z.enum(LEDGER_CHAINS).describe(`The chain to simulate: ${LEDGER_CHAINS.join(", ")}`),
  CONCLAVE_LISTEN: listenSchema.default({ host: "127.0.0.1", port: 4001 }),
  CONCLAVE_ADMIN_PORT: number(65_535).default(4002).describe("The admin endpoint's port, on loopback"),
  CONCLAVE_CHAIN: z.string().max(64).optional().describe("The chain's name, as its node knows it"),
  CONCLAVE_SEED: z.string().max(256).default("development").describe("Any text; the faucet's key follows"),
  CONCLAVE_BLOCK_MS: number(MOST_MS).optional().describe("Milliseconds from block to block; 0 by hand"),
  CONCLAVE_LEDGER_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Where it keeps its blocks; else they end with it"),
  CONCLAVE_TOKEN: z.string().min(1).optional().describe("What callers must send, if anything"),
  CONCLAVE_LOG_LEVEL: logLevelSchema.default("info"),
});

export interface LedgerConfig {
  readonly kind: LedgerKind;
  readonly options: Omit<LedgerOptions, "clock">;
  readonly logLevel: z.output<typeof logLevelSchema>;
}

/**
 * Reads from the environment which ledger to start, and with which options.
 * @throws ConfigurationError that names the missing or invalid setting
 */
export const readLedgerConfig = (environment: Readonly<Record<string, string | undefined>>): LedgerConfig => {
  const given = readEnvironment(environmentSchema, environment);
  const kind = LEDGERS[given.CONCLAVE_LEDGER];
  return {
    kind,
    logLevel: given.CONCLAVE_LOG_LEVEL,
    options: {
      chain: given.CONCLAVE_CHAIN ?? kind.chain,
      seed: given.CONCLAVE_SEED,
      blockMs: given.CONCLAVE_BLOCK_MS ?? kind.blockMs,
      listen: given.CONCLAVE_LISTEN,
      adminPort: given.CONCLAVE_ADMIN_PORT,
      folder: given.CONCLAVE_LEDGER_DIR,
      token: given.CONCLAVE_TOKEN,
    },
  };
};
