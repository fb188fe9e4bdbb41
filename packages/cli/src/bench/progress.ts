/** Reports on stderr what is being measured, so that stdout contains the tables only. */
export type Report = (text: string) => void;

export const makeReport = (): Report => {
  const began = performance.now();
  return (text) => {
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
  };
};
