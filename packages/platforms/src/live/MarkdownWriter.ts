/** A sign put around words, such as `**`: written once a word follows, closed before the next line. */
interface Mark {
  readonly sign: string
  /** Where it stands in the text; -1 while no word followed. */
  at: number
  /** A link whose line has ended is none. */
  broken: boolean
}

const linkSign = "["

/**
 * Markdown as it is being written, word by word.
 *
 * Laws: no blank at the end of a line; never more than one empty line; a sign is closed where it was opened and never
 * stands around nothing; every operation is constant in what was written before.
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
  /** What stands before the last word: where, and what was wanted there. */
  #before: { readonly at: number; readonly newlines: number; readonly lead: string | undefined } | undefined

  /** Text in one line: blanks at its ends part it from its neighbours. */
  words(text: string): void {
    const said = text.replace(/[ \t\n\r\f\u00A0]+/g, " ")
    if (said.startsWith(" ")) this.#blank = true
    const core = said.trim()
    if (core === "") return
    this.#put(core)
    if (said.endsWith(" ")) this.#blank = true
  }

  /** At least that many line ends before the next word; 2 leave an empty line. In a table's cell, a blank. */
  gap(lines: 1 | 2): void {
    this.#blank = this.#cells > 0
    if (this.#cells > 0) return
    this.#closeLine()
    this.#newlines = Math.max(this.#newlines, this.#indent === "" ? lines : 1)
  }

  /** One more line end, as `<br>` asks for. */
  lineEnd(): void {
    if (this.#newlines > 0 && this.#cells === 0) this.#newlines = this.#indent === "" ? 2 : 1
    else this.gap(1)
  }

  /** Begins a line with a sign (`- `, `### `) and writes it once a word follows; `inside` is written with its lines indented. */
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

  /** What `inside` writes between two signs. Signs do not nest in themselves. */
  marked(sign: string, inside: () => void): void {
    if (this.#marks.some((mark) => mark.sign === sign)) return inside()
    const mark = { sign, at: -1, broken: false }
    this.#marks.push(mark)
    inside()
    this.#marks.pop()
    if (mark.at !== -1) this.#close(sign)
  }

  /** A link around what `inside` writes; `end` says what closes it, or nothing to take its words away. */
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

  /** One row of a table; each cell is what its function writes. */
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

  /** What `inside` writes, all in one line. */
  inLine(inside: () => void): void {
    this.#cells++
    inside()
    this.#cells--
  }

  /** A line that stays as it is, right below the one before. */
  verbatimRow(text: string): void {
    this.gap(1)
    this.#raw(text)
  }

  /** Text that stays as it is, in lines of its own. */
  verbatim(text: string): void {
    this.gap(2)
    this.#raw(text)
    this.gap(2)
  }

  /** Whether everything has to stay in one line. */
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

  /** Writes what has to stand before the next word. */
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
    // `**a****b**` would be read as four stars: the sign that was just closed is taken back.
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

  /** Takes back everything from a place on, with the signs and blanks that then stand before nothing. */
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
