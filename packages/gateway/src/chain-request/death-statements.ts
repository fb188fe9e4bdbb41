import { createHash } from "node:crypto";
import type { ChainNode, FamilyRegistry, OwnTransaction } from "@conclave/chains";
import {
  type ChainRequest,
  type DeadTransactions,
  isChainWallet,
  transactionIdSchema,
  transferIdSchema,
  type World,
} from "@conclave/custody";
import {
  answerDeathQuestion,
  attend,
  type Database,
  DEATH_STATEMENTS_CHANNEL,
  type DeathQuestion,
  dropDeathQuestion,
  type Logger,
  listDeadTransactions,
  listDeathQuestions,
  readChainRequest,
  readWallet,
  type Subscription,
} from "@conclave/platform";
import { z } from "zod";
import type { Authority } from "../authority.ts";
import { deathQuestionsFailed, transactionNotDead, transactionsDead } from "../log-events.ts";

const BATCH = 64;

/** The dependencies of statements on dead transactions. */
export interface DeathStatements {
  readonly database: Database;
  readonly families: FamilyRegistry;
  /** the gateway's own nodes, by network; answers of others do not count */
  readonly chains: ReadonlyMap<string, Pick<ChainNode, "fateOf">>;
  readonly authority: Authority;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Answers, until stopped, the questions of orchestrators that consider all transactions of a request dead. The gateway
 * asks the chain itself, at final depth, and signs its finding with its authority key (INV-4). Many may run.
 */
export const startDeathStatements = (parts: DeathStatements & { readonly world: World }): Subscription =>
  attend({
    world: parts.world,
    hear: (ring) => parts.database.listen(DEATH_STATEMENTS_CHANNEL, ring),
    round: () => answerAll(parts),
    onFailure: (err) => deathQuestionsFailed(parts.logger, { err }),
  });

/**
 * Looks once at every question.
 * @param batch number of questions read at a time
 * @returns the number of answered questions; @throws the first failure, after the others have been looked at
 */
export const answerAll = async (parts: DeathStatements, batch = BATCH): Promise<number> => {
  const failures: unknown[] = [];
  let answered = 0;
  let after: DeathQuestion | undefined;
  do {
    const questions = await listDeathQuestions(parts.database, after, batch);
    for (const question of questions) {
      try {
        if (await answer(parts, question)) answered += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    after = questions.length < batch ? undefined : questions.at(-1);
  } while (after !== undefined);
  if (failures.length > 0) throw failures[0];
  return answered;
};

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

/** @returns whether the question is settled */
const answer = async (parts: DeathStatements, question: DeathQuestion): Promise<boolean> => {
  const { database, families, chains, authority, now, logger } = parts;
  const request = await readChainRequest(database, requestIdSchema.parse(question.requestId));
  const wallet = request && (await readWallet(database, request.walletId));
  if (request === undefined || wallet === undefined || !isChainWallet(wallet)) {
    throw new Error(`${question.requestId} is asked about and not there`);
  }
  const transactions = await transactionsOf(parts, request);
  const isOfAll = transactions.length === question.transactions;
  // a family that does not build again needs no statement, so none is signed
  if (!isOfAll || !families.familyOf(request.network).rebuilds) return drop(parts, question);
  const fate = await chains.get(request.network)?.fateOf(wallet.address, transactions);
  if (fate === undefined || !fate.ok) return false;
  if (fate.value.kind === "open") {
    transactionNotDead(logger, { requestId: request.id });
    return drop(parts, question);
  }
  const statement: DeadTransactions = {
    version: 1,
    kind: "dead-transactions",
    requestId: request.id,
    network: request.network,
    transactions: transactions.map(({ unsigned }) => createHash("sha256").update(unsigned).digest("hex")),
    dateRequested: now().toISOString(),
  };
  await database.transaction((connection) => answerDeathQuestion(connection, question, authority(statement)));
  transactionsDead(logger, { requestId: request.id, reason: fate.value.reason });
  return true;
};

/** All transactions that were signed for a request, the first one first. */
const transactionsOf = async (
  { database }: DeathStatements,
  request: ChainRequest,
): Promise<readonly OwnTransaction[]> => {
  const { unsignedTransaction: unsigned, signedTransaction: signed } = request;
  const earlier = await listDeadTransactions(database, request.id);
  return unsigned === undefined || signed === undefined ? earlier : [...earlier, { unsigned, signed }];
};

const drop = async ({ database }: DeathStatements, question: DeathQuestion): Promise<boolean> => {
  await database.transaction((connection) => dropDeathQuestion(connection, question));
  return true;
};
