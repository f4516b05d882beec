// What the views and their sources send to each other: types alone, nothing that runs.

/** @import { Sentence } from "./sentence.js" */

/**
 * The argument of a view's script, which its source calls with every answer.
 *
 * @template Data
 * @typedef {object} Component
 * @property {ShadowRoot} parentElement the view's own elements
 * @property {Data} data
 * @property {Send} send
 */

/** @typedef {(request: Request) => void} Send send a request to the source */

/**
 * A view's message to its source; channel.js draws how requests and answers belong together.
 *
 * @typedef {object} Request
 * @property {number} number rises with each request
 * @property {string | number | null} version the version of the last answer that the view adopted
 * @property {object} choice the values that a reader chose in the view
 */

/**
 * The fields that a channel reads. Every view that sends requests has them in its data.
 *
 * @typedef {object} SourceAnswer
 * @property {string | number} version changes each time the source sets what the view shows
 * @property {number} answered the number of the last request that the source has seen
 */

/** @typedef {ReturnType<typeof setTimeout>} Timer */

/**
 * Numbers in base64: little-endian integers or, if `bits` is 64, floats.
 * @typedef {{ bits: 8 | 16 | 32 | 64, base64: string }} Packed
 */
/** @typedef {Uint8Array | Uint16Array | Int32Array | Float64Array} Numbers */

/** @typedef {Record<string, string>} Marks from white space and invisible characters to what is drawn for them */

/**
 * How tokens are written and coloured. `glyph`: drawn for the word marker; "" if words have none.
 * @typedef {{ glyph: string, marks: Marks, hues: number }} Notation
 */

// --- the film of a training: film_side.py ---

/** @typedef {[left: number, right: number]} Pair two token ids */
/** @typedef {[side: number, left: number, right: number]} SidePair */
/** @typedef {[side: number, row: number]} SideWord */

/**
 * A word of the corpus. `lifetimes`: for each symbol, the step that removes the boundary before it; 0 if none does.
 * `more`: how many of its symbols are not sent.
 * @typedef {[row: number, count: number, symbols: number[], lifetimes: number[], more: number]} WordRow
 */

/**
 * A pair in a chart. `role`: "next" for the pair that the next step merges, "tied" for a pair that is as good.
 * `label`: the text after the bar, if it is not the count.
 * @typedef {[left: number, right: number, count: number, role: "next" | "tied" | "other", label?: string]} Bar
 */

/**
 * What a film shows of a step, besides the words.
 *
 * @typedef {object} Frame
 * @property {Bar[]} bars the best pairs after the step
 * @property {Bar[][]} [others] the pairs of the further charts
 * @property {number} pairs how many different pairs there are
 * @property {Sentence<number>} sentence what the step merged
 * @property {Sentence<number>} tie which pairs tied with the merged pair
 * @property {Sentence<number>} ahead what the next step merges
 * @property {number[]} parts the rows of the first few words that the step changed
 * @property {number} changed how many words the step changed
 * @property {Pair[]} tied the pairs that the step chose from
 * @property {number[]} [freed] the indexes of the bars whose pairs were blocked until this step
 * @property {number} tokens how many tokens the corpus has
 * @property {number[]} [wanted] how often the merged pair occurred in each source; empty for a training on a text
 */

/** @typedef {{ frames: Frame[], words: WordRow[] }} Chunk the frames of some steps, and the words that they name */

/** @typedef {{ title: string, unit: string, order: string, room?: number }} PairChart `room`: pixels for its labels */

/**
 * The sources of a training along the slider. `edges`: the merges at which the points begin, and the end of the last
 * point. `shares`: for each source its share of what the merges of each point joined, in per mille.
 *
 * @typedef {{ names: string[], colours: string[], edges: number[], shares: number[][] }} SourceShares
 */

/**
 * What holds for all steps of a training.
 *
 * @typedef {object} Facts
 * @property {string[]} base the bytes of the base tokens, in hex
 * @property {Packed} hues a hue for each token
 * @property {number} kinds how many hues there are
 * @property {Packed} left for each step, the left token of its pair
 * @property {Packed} right
 * @property {Packed} counts
 * @property {Packed} tied how many pairs tied, the merged pair included
 * @property {number[]} yours the steps whose pair a person chose
 * @property {number} most_pairs how many pairs a chart lists at most
 * @property {string} glyph
 * @property {Marks} marks
 * @property {Record<string, Record<string, number>[]>} along the rows of each chart along the slider
 * @property {SourceShares | null} [sources] whose merges come when; null for a training on a text
 * @property {boolean} [continues] whether a token that continues a word begins with a mark, such as "##" in WordPiece
 * @property {string} [unit] what a step is called
 * @property {string} [decides] what chooses the merges, if not the count
 * @property {string} [equal] what tied pairs have in common
 * @property {PairChart[]} [charts]
 * @property {Sentence<number>[]} [summary] about a training that ended because no pair was left
 * @property {Sentence<number>[]} [longest] sentences among the longest of all steps: the film makes room for them
 */

/**
 * A stage of a training that is not shown. `size`: the number of its merges, as text. `first`, `last`: its first and its
 * last step. `stage`: its index.
 * @typedef {{ title: string, size: string, first: number, last: number, stage: number, about: string }} Block
 */

/**
 * The stages of a training with several stages. `title`: the name of the shown stage, as it is written after a comma.
 * @typedef {{ title: string, before: Block[], after: Block[] }} TimelineData
 */

/**
 * One training of a film.
 *
 * @typedef {object} SideData
 * @property {string} digest
 * @property {number} begin the number of the first step; chunks and frames count from 0
 * @property {number} steps
 * @property {string} title
 * @property {string} unit what a word is called, for counts
 * @property {TimelineData | null} timeline
 */

/**
 * The words of one side. `rows`: the indexes of each row's words; a row may have several words of a side, or none.
 * `counts`: how often each row occurs; null if a row occurs as often as its word. `walls`: for each word that had
 * walls, the symbols before which a wall stood until step 0. `note`: a sentence about how many words there are.
 * @typedef {{ rows: number[][], counts: number[] | null, words: WordRow[], walls: [row: number, symbols: number[]][], note: string }} SideWords
 */

/**
 * The words to show. `sort`: their order; `changed_first`: whether words that a step changed come before the others.
 * @typedef {{ sort: string, changed_first: boolean, sides: SideWords[] }} Window
 */

/** @typedef {[side: number, number: number, chunk: Chunk][]} Chunks */

/**
 * What a film of a training begins with. `run`: the digests of the trainings. `facts`: of each side.
 * @typedef {{ run: string, sides: SideData[], facts: Facts[], window: Window, chunks: Chunks }} FirstData
 */

/**
 * Details about the chosen pair (`sentence`, `rows`, `words`) or the chosen word (`bars`, `pairs`) at a step of a side.
 *
 * @typedef {object} Focus
 * @property {number} side
 * @property {number} step
 * @property {Sentence<number>} [sentence]
 * @property {number[]} [rows]
 * @property {WordRow[]} [words]
 * @property {Bar[]} [bars]
 * @property {number} [pairs]
 */

/**
 * @typedef {object} FilmState
 * @property {string} vega the address of Vega's script; "" for a film without charts
 * @property {string} run the digests of the trainings
 * @property {SideData[]} sides
 * @property {string[]} sections the sections of the film besides its step bar
 * @property {boolean} [alone] whether the film is on a saved page, which has no server
 * @property {string[]} sorts the ways to sort the words
 * @property {string} step_name the name of the step in the page's address; "" if the address does not have it
 * @property {boolean} follows whether the film reports every step that it plays
 * @property {string} find
 * @property {string} sort the chosen sort order
 * @property {number} step
 * @property {FirstData | null} first null for a film that has the page's version already
 * @property {Asks & { example?: string }} [asks] whom the film asks for what it lacks
 * @property {string} [given] the text in the page's box, or the example that an empty box shows; undefined for a film
 *   that does not follow the typing
 */
/** @typedef {SourceAnswer & FilmState} FilmData */

// --- the tokens of a text: tokens_data.py ---

/**
 * A text under a vocabulary; `arrays` in tokens_data.py draws how the arrays belong together.
 *
 * @typedef {object} Answer
 * @property {string} text
 * @property {number} steps how many merges the vocabulary has
 * @property {Packed} symbols for each symbol its row in `alphabet`
 * @property {[id: number, hex: string, covered: number][]} alphabet
 * @property {Packed} moved the symbols that cover other bytes than `alphabet` says, as (symbol, start, end) in bytes
 * @property {Packed} fallen for each symbol, the index in `steps_here` of the merge that removes the boundary before it
 * @property {Packed} within_words for each index in `fallen`, how many of its boundaries are inside words
 * @property {Packed} steps_here the steps of the merges that change this text
 * @property {Packed} made_here the ids that those merges make
 * @property {Packed} lost the symbols whose text the vocabulary cannot write
 * @property {Packed} gone start and end in bytes of each part of the text that the model dropped
 * @property {Packed} continued for each character that continues a letter, the index of its first byte in the text
 * @property {string} lost_name the name of the token for lost text, such as "[UNK]"; "unknown" if no token is for it
 */

/**
 * The choices of a reader, by name: the value of the control whose `data-option` has the name.
 * @typedef {Record<string, string | boolean>} Options
 */

/**
 * The facts about a token from the server. `apart`: why it did not merge with its neighbours.
 * @typedef {{ rows: [term: string, words: Sentence<string>][], apart: Sentence<string>[] }} TokenFacts
 */

/**
 * Whom a picture asks for resources: a server, or the data in the page itself. `handle`: names the thing. `address`:
 * what comes before the name of a resource. `own`: returns a resource of a page that has its data itself.
 * @typedef {{ address: string, handle: string, own?: (name: string, parameters: any) => unknown }} Asks
 */

/**
 * Whom the view of tokens asks, for the text in the page's text box. `example`: the text that stands in for none.
 * @typedef {Asks & { specials: boolean, example: string }} AsksForText
 */

/**
 * @typedef {object} TextData
 * @property {string} given the text as it was typed
 * @property {AsksForText} [asks]
 * @property {string} [remarks] sentences about the text
 * @property {number[]} special_ids
 * @property {Record<string, string>} figures what each figure means
 * @property {{ characters: number, bytes: number, words: number, bytes_written: number, words_to_divide: number }} counts
 * @property {string} [no_merges] a sentence for a tokenizer without merges
 * @property {boolean} [plays] whether the text plays once by itself, for whoever comes first
 * @property {boolean} [is_example] whether the text stands in for a text that is not typed yet
 * @property {string} title the name of the vocabulary
 * @property {number} step
 * @property {number} at the first symbol of the chosen token; -1 for none
 * @property {(TokenFacts & { at: number, end: number, step: number }) | null} facts
 * @property {string[]} shows the sections of the view
 * @property {Options} options
 */
/** @typedef {SourceAnswer & Answer & Notation & TextData} TokenViewData */

/** @typedef {{ token: string, step: number, halves: TokenTree[] }} TokenTree merges that made a `token`, in hex */

/** @typedef {Notation & { tree: TokenTree, id: number, born: string, whole: boolean, facts: TokenFacts }} BiographyData */

/**
 * A text under one tokenizer. `more`: how many tokens are not sent. `differs`: whether the first row has no token over
 * the same bytes of the text.
 *
 * @typedef {object} TextRow
 * @property {string} name
 * @property {{ tokens: number, words: string }} figures
 * @property {[hex: string, id: number, differs: boolean, lost: boolean][]} tokens
 * @property {string} lost_name the name of a token for text that the vocabulary cannot write
 * @property {string} glyph drawn for the marker
 * @property {number} more
 */
/** @typedef {Record<string, string | number>} TableRow a row of a table, by column */
/** @typedef {{ given: string, asks?: AsksForText, rows: TextRow[], finding: string, table: TableRow[], columns: string[] }} RowsOfText */
/** @typedef {Pick<Notation, "marks" | "hues"> & RowsOfText} RowsData */

// --- the end of a prompt: prompt_data.py ---

/**
 * The tokens of the prompt or of the whole text around the end. `before`, `after`: how many tokens are not sent.
 * `kind`: 0 for a token of both rows, 1 for a token of one row alone, 2 for a token after the end.
 *
 * @typedef {object} PromptRow
 * @property {number} count
 * @property {number} before
 * @property {[hex: string, id: number, kind: number, lost: boolean][]} tokens
 * @property {number} after
 * @property {string} lost_name
 */

/**
 * @typedef {object} PromptState
 * @property {number} end where the prompt ends, in characters
 * @property {number} chosen the end that was chosen; -1 for the end that is found
 * @property {boolean} cut whether an end that cuts a token is found
 * @property {string} given the text as it was typed
 * @property {AsksForText} [asks]
 * @property {number} length of the text
 * @property {number} first the first character of `text`
 * @property {string} text the text around the end
 * @property {[prompt: PromptRow, whole: PromptRow]} rows
 * @property {Sentence<string>} sentence
 * @property {[hex: string, id: number, isAcross: boolean][]} listed the first tokens that begin with the cut-off part
 * @property {number} count how many tokens begin with the cut-off part
 */
/** @typedef {SourceAnswer & Notation & PromptState} PromptData */

/**
 * @typedef {object} EditorState
 * @property {string} text
 * @property {string} label
 * @property {string} placeholder
 * @property {number} height pixels
 * @property {number} pause milliseconds without a key until a text is sent; 0: at once
 * @property {number} began differs for a server that was started anew
 * @property {number} most_lines to how many lines the area grows with its text; 0 if it does not
 * @property {boolean} elsewhere whether the area is empty because the page's text is too long for it
 * @property {"keep" | "forget" | ""} in_tab what the view does with the tab's copy of the text
 */
/** @typedef {SourceAnswer & EditorState} EditorData */
