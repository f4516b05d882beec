"""What version 3.0.0 gives its users: nothing may be lost.

The record was frozen with 3.0.0; it has all that the one of 2.0.0 had. From then on it holds what this version
answers: every link, command, file, value and name that anyone may rely on. A later version of the same major number
gives the same answers, and has more.

A text file here is a list of questions; below each, indented, stands what version 3 answers.

- `links.txt`: addresses of pages, with every name that a link can have, the former names and nonsense: those that
  versions 1 and 2 opened, and those with what is new since. Every link that opened once opens for ever. The answer is
  what a visitor gets that the page without a query does not show: the address as the page writes it back, the values
  of its controls, its step, its texts, the rows of its tables; how many remarks it makes on what it left out. A link to
  a page that has moved is asked as a browser asks it: the server names the new address (`addresses.moved`).
- `commands.txt`: lines for a shell. The answer is what is printed, what goes to standard error (`2>`), the files that
  are written, by the start of their SHA-256, and the exit code where it is not 0. Of `--help` it is only the names of
  commands and options.
- `files.txt`: expressions that give files, by the start of their SHA-256: every format for a set of trainings, the
  models, pictures, tables to download.
- `values.txt`: expressions with what they give: merges, words, pairs, ids, the right answers of the lessons.
- `names.txt`: import lines and objects, with their public names and what these can be called with. More names, and
  more arguments that may be left out, are no loss.

Wording is free, but in files and in the errors of commands: no sentence of a page and no help text stands here. A
rebuilding may change how a page is read, in `pages_seen.py`, and nothing else in this folder.

**An answer is changed only where it was wrong and users are meant to get something else, and the changelog tells them;
never to make a test green.** When the Playground became four pages, all links were asked once more: a moved page has
another address, other controls, tables and files. What a link shows of a text and its tokens stayed.

Questions about what is new are added below the old ones; in `links.txt` below the line "Added since 3.0.0", and `make
test` always asks those. A question sees the rows of tables that 3.0.0 had, and of later rows those that it names, such
as a new pretokenizer: so a new row changes no other answer. `python -m tests.version_3.make` answers all questions
anew, from whatever the checkout does: read the difference line by line before it is kept.
"""
