import type { ActiveWallet, ArchivedWallet, BulkJobId, BulkTally, WalletId } from "@conclave/custody";
import { z } from "zod";
import { listedAs } from "../connection/unreadable-row.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { problemSchema } from "../problem-column.ts";
import { wallets } from "./wallets.ts";

/** Stores that a wallet has this number in the job, in place of one that failed. The wallet may follow in the same transaction. */
export const putBulkWallet = async (
  connection: Connection,
  jobId: BulkJobId,
  number: number,
  walletId: WalletId,
): Promise<void> => {
  await connection.execute(
    `insert into bulk_wallets (job_id, number, wallet_id) values ($1, $2, $3)
     on conflict (job_id, number) do update set wallet_id = excluded.wallet_id`,
    [jobId, number, walletId],
  );
};

const countsSchema = z.object({ creating: z.int(), made: z.int() });
const failedSchema = z.object({ number: z.int(), problem: problemSchema });

/** Counts the wallets of a job by what became of them. */
export const readBulkTally = async (connection: Connection, jobId: BulkJobId): Promise<BulkTally> => {
  const [counts] = await connection.rows(
    countsSchema,
    `select (count(*) filter (where w.status = 'Creating'))::int as creating,
       (count(*) filter (where w.status in ('Active', 'Archived')))::int as made
     from bulk_wallets b join wallets w on w.id = b.wallet_id where b.job_id = $1`,
    [jobId],
  );
  const failed = await connection.rows(
    failedSchema,
    `select b.number, w.problem from bulk_wallets b join wallets w on w.id = b.wallet_id
     where b.job_id = $1 and w.status = 'Failed' order by b.number`,
    [jobId],
  );
  return { creating: counts?.creating ?? 0, made: counts?.made ?? 0, failed };
};

/** Lists the wallets that a job made, archived ones too, by ascending id. @param page its date has no meaning here */
export const listBulkWallets = async (
  connection: Connection,
  jobId: BulkJobId,
  { after, limit }: Page,
): Promise<Listed<ActiveWallet | ArchivedWallet>> => {
  const found = await wallets.listed(
    connection,
    `where w.id in (select b.wallet_id from bulk_wallets b where b.job_id = $1)
       and w.status in ('Active', 'Archived') and ($2::text is null or w.id > $2)
     order by w.id limit $3`,
    [jobId, after?.id ?? null, limit],
  );
  return listedAs(
    found.filter((wallet) => wallet.status === "Active" || wallet.status === "Archived"),
    found.leftOut,
  );
};
