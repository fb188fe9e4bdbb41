export interface Figure {
  /** a stable name for programs, words joined by dots, such as "presign.t3.total" */
  readonly name: string;
  readonly unit: "ms" | "s" | "MB" | "%" | "count" | "KB";
  readonly value: number;
  /** the text for readers */
  readonly label: string;
  /** the design's budget, in the same unit; the value should not exceed it */
  readonly budget?: number;
  /** how it was measured, unless that is obvious */
  readonly note?: string;
}

/** Figures that were measured in the same way. */
export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** published numbers of other projects, shown for comparison; they are not part of this run's data */
  readonly isQuoted?: true;
}
