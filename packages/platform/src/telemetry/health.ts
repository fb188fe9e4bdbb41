/** A check of a service that the process works with. */
export interface HealthCheck {
  /** for example "database" */
  readonly name: string;
  readonly check: () => boolean | Promise<boolean>;
  /** true if the process serves without it, only slower: the report shows it, and it makes nothing degraded */
  readonly isSpared?: boolean;
}

export interface HealthReport {
  readonly status: "serving" | "degraded" | "stopping";
  readonly parts: Readonly<Record<string, boolean>>;
}

export interface ProcessHealth {
  report(): Promise<HealthReport>;
  /** Makes the process report that it stops, so that it gets no new work. */
  stopping(): void;
}

/**
 * Makes the health of a process: "serving" if each check of a needed service succeeds. A check that throws counts as
 * failed.
 */
export const makeHealth = (checks: readonly HealthCheck[]): ProcessHealth => {
  let isStopping = false;
  return {
    report: async () => {
      const answers = await Promise.all(
        checks.map(async ({ name, check, isSpared = false }) => {
          const answer = await answersNow(check);
          return { name, answer, isServing: answer || isSpared };
        }),
      );
      const serving = answers.every(({ isServing }) => isServing);
      return {
        status: isStopping ? "stopping" : serving ? "serving" : "degraded",
        parts: Object.fromEntries(answers.map(({ name, answer }) => [name, answer])),
      };
    },
    stopping: () => {
      isStopping = true;
    },
  };
};

const answersNow = async (check: HealthCheck["check"]): Promise<boolean> => {
  try {
    return await check();
  } catch {
    return false;
  }
};
