/** A sign around words, such as `**`: written when the first word follows, closed before the line ends. */
interface Mark {
  readonly sign: string
  /** Its index among the pieces of the text; -1 until a word follows. */
  at: number
  /** A link whose line has ended is not written as a link. */
  broken: boolean
}

const linkSign = "["

/**
 * Writes markdown, word by word.
 *
 * Laws: no blank at the end of a line; never more than one empty line; a sign is closed on the line where it was opened and
 * never encloses nothing; the cost of an operation does not depend on what was written before.
 */
export class MarkdownWriter {
  readonly #pieces: Array<string> = []
  readonly #marks: Array<Mark> = []
  #newlines = 0
  #blank = false
  #lead: string | undefined
  #indent = ""
  #closed = false
  #cells = 0
  /** What was written before the last word: its index among the pieces, and the line ends and lead that it was made from. */
  #before: { readonly at: number; readonly newlines: number; readonly lead: string | undefined } | undefined

  /** Text on one line. Blanks at its ends separate it from its neighbours. */
  words(text: string): void {
    const said = text.replace(/[ \t\n\r\f\u00A0]+/g, " ")
    if (said.startsWith(" ")) this.#blank = true
    const core = said.trim()
    if (core === "") return
    this.#put(core)
    if (said.endsWith(" ")) this.#blank = true
  }

  /** At least this many line ends before the next word; 2 leave an empty line, except inside a list. On one line, a blank instead. */
  gap(lines: 1 | 2): void {
    this.#blank = this.#cells > 0
    if (this.#cells > 0) return
    this.#closeLine()
    this.#newlines = Math.max(this.#newlines, this.#indent === "" ? lines : 1)
  }

  /** One more line end, as for `<br>`. */
  lineEnd(): void {
    if (this.#newlines > 0 && this.#cells === 0) this.#newlines = this.#indent === "" ? 2 : 1
    else this.gap(1)
  }

  /** Begins a line with a sign (`- `, `### `), which is written when a word follows. The lines of `inside` are indented. */
  led(sign: string, indent: string, inside: () => void): void {
    const outer = this.#indent
    this.gap(1)
    if (this.#cells > 0) return inside()
    this.#lead = (this.#lead ?? outer) + sign
    this.#indent = outer + indent
    inside()
    this.#lead = undefined
    this.#indent = outer
    this.gap(1)
  }

  /** Puts a sign before and after what `inside` writes. A sign is not nested in itself. */
  marked(sign: string, inside: () => void): void {
    if (this.#marks.some((mark) => mark.sign === sign)) return inside()
    const mark = { sign, at: -1, broken: false }
    this.#marks.push(mark)
    inside()
    this.#marks.pop()
    if (mark.at !== -1) this.#close(sign)
  }

  /** A link around what `inside` writes. `end` gives what closes the label, or undefined to remove its words. */
  link(inside: () => void, end: (label: string) => string | undefined): void {
    if (this.#marks.some((mark) => mark.sign === linkSign)) return inside()
    const mark = { sign: linkSign, at: -1, broken: false }
    this.#marks.push(mark)
    inside()
    this.#marks.pop()
    if (mark.at === -1) return
    const label = this.#pieces.slice(mark.at + 1).join("")
    const closing = end(label)
    if (closing === undefined) return this.#cut(mark.at)
    if (closing === "") this.#pieces[mark.at] = ""
    else this.#pieces.push(closing)
  }

  /** One row of a table. Each function writes one cell. */
  row(cells: ReadonlyArray<() => void>): void {
    this.gap(1)
    this.#raw("|")
    for (const cell of cells) {
      this.#raw(" ")
      this.inLine(cell)
      this.#blank = false
      this.#raw(" |")
    }
  }

  /** Keeps everything that `inside` writes on one line. */
  inLine(inside: () => void): void {
    this.#cells++
    inside()
    this.#cells--
  }

  /** A line that is written unchanged, directly below the one before. */
  verbatimRow(text: string): void {
    this.gap(1)
    this.#raw(text)
  }

  /** Text that is written unchanged, on lines of its own. */
  verbatim(text: string): void {
    this.gap(2)
    this.#raw(text)
    this.gap(2)
  }

  /** Whether everything has to stay on one line. */
  get inOneLine(): boolean {
    return this.#cells > 0
  }

  /** Everything written so far. */
  text(): string {
    return this.#pieces.join("").trim()
  }

  #put(text: string): void {
    this.#startLine()
    for (const mark of this.#marks) if (mark.at === -1 && !mark.broken) this.#open(mark)
    this.#pieces.push(text)
    this.#closed = false
  }

  #raw(text: string): void {
    this.#startLine()
    this.#pieces.push(text)
    this.#closed = false
  }

  /** Writes what belongs before the next word. */
  #startLine(): void {
    const first = this.#pieces.length === 0
    const fresh = first || this.#newlines > 0 || this.#lead !== undefined
    const before = fresh
      ? (first ? "" : "\n".repeat(this.#newlines)) + (this.#lead ?? this.#indent)
      : this.#blank && this.#pieces.at(-1) !== " "
        ? " "
        : ""
    if (before !== "") {
      this.#before = { at: this.#pieces.length, newlines: this.#newlines, lead: this.#lead }
      this.#pieces.push(before)
    }
    this.#newlines = 0
    this.#blank = false
    this.#lead = undefined
  }

  #open(mark: Mark): void {
    // `**a****b**` would be read as four stars, so the sign that was just closed is removed instead.
    if (this.#closed && this.#pieces.at(-1) === mark.sign) this.#pieces.pop()
    else this.#pieces.push(mark.sign)
    mark.at = this.#pieces.length - 1
    this.#closed = false
  }

  #close(sign: string): void {
    this.#pieces.push(sign)
    this.#closed = true
  }

  #closeLine(): void {
    for (const mark of this.#marks.toReversed()) {
      if (mark.at === -1) continue
      if (mark.sign === linkSign) {
        mark.broken = true
        this.#pieces[mark.at] = ""
      } else this.#close(mark.sign)
      mark.at = -1
    }
  }

  /** Removes everything from an index on, and the signs and blanks that would then have no words after them. */
  #cut(at: number): void {
    this.#pieces.length = at
    for (const mark of this.#marks.toReversed()) {
      if (mark.at === -1 || mark.at !== this.#pieces.length - 1) break
      this.#pieces.pop()
      mark.at = -1
    }
    if (this.#before?.at === this.#pieces.length - 1) {
      this.#pieces.pop()
      this.#newlines = this.#before.newlines
      this.#lead = this.#before.lead
    }
    this.#closed = false
  }
}
