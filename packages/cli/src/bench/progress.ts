/** Reports on stderr what is being measured, so that stdout contains the tables only. */
export type Tell = (text: string) => void;

export const makeTell = (): Tell => {
  const began = performance.now();
  return (text) => {
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
  };
};
