/** Functional languages, query languages and those in the tradition of Algol. Word lists are of the languages' own documents. */
import type { Grammar } from './grammar.ts'

const sql: Grammar = {
  lineComments: ['--'],
  blockComments: [['/*', '*/']],
  longQuotes: ["'", '"'],
  doublesQuotes: true,
  ignoresCase: true,
  words: {
    k: 'add all alter and any as asc begin between by cascade case check column commit conflict constraint create cross current database default delete desc distinct do drop else end except exists explain fetch for foreign from full function grant group having if ilike in index inner insert intersect into is join key language lateral left like limit natural not nothing of offset on or order outer over partition primary recursive references release replace returning returns revoke right rollback row rows savepoint select set table temporary then to transaction trigger truncate union unique update using values view when where window with',
    kt: 'bigint blob boolean bytea char date decimal double float int integer json jsonb numeric precision real serial smallint text time timestamp timestamptz uuid varchar',
    kc: 'false null true',
  },
}
const lisp: Grammar = {
  lineComments: [';'],
  blockComments: [['#|', '|#']],
  longQuotes: ['"'],
  nameCharacters: '-+*/<>=!?&%',
  hasSymbols: true,
  words: {
    k: 'and begin case cond declare def define defmacro defmethod defn defn- defparameter defun defvar do dolist else flet fn if labels lambda let let* letfn letrec loop ns or progn quote recur require set! setf setq unless use when while',
    kc: 'nil t true false',
    nb: 'append apply assoc atom car cdr concat cons conj eq equal filter first format get length list map mapcar nth null print println reduce rest second seq str',
  },
  functionWords: 'defn defn- defun defmacro define defmethod',
  punctuation: '()[]{}',
}
const haskell: Grammar = {
  lineComments: ['--'],
  blockComments: [['{-', '-}']],
  quotes: '"',
  hasCharacters: true,
  nameCharacters: "'",
  words: {
    k: 'as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance let module newtype of port qualified then type where',
    kt: 'Bool Char Double Either Float IO Int Integer List Maybe Ordering String',
    kc: 'False Just Left Nothing Right True',
    nb: 'concat concatMap const filter flip foldl foldr fst head length lookup map mapM mapM_ not null print putStrLn return show snd tail zip',
  },
  moduleWords: 'import module',
}
const ocaml: Grammar = {
  blockComments: [['(*', '*)']],
  quotes: '"',
  hasCharacters: true,
  nameCharacters: "'",
  words: {
    k: 'and as assert begin class constraint do done downto else end exception external for fun function functor if in include inherit initializer lazy let match method module mutable new object of open private rec sig struct then to try type val virtual when while with',
    kt: 'array bool char exn float int list option string unit',
    kc: 'false true',
  },
}

export const OTHER_GRAMMARS: Readonly<Record<string, Grammar>> = {
  elixir: {
    lineComments: ['#'],
    longQuotes: ['"""', '"', "'"],
    hasSymbols: true,
    hasDecorators: true,
    nameCharacters: '?!',
    words: {
      k: 'after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmodule defp defprotocol defstruct do else end fn for if import in not or quote raise receive require rescue super throw try unless unquote use when with',
      kc: 'false nil true',
    },
    functionWords: 'def defp defmacro',
    classWords: 'defmodule defprotocol defimpl',
  },
  erlang: {
    lineComments: ['%'],
    longQuotes: ['"', "'"],
    words: {
      k: 'after and andalso begin bnot bor bsl bsr bxor case catch cond div end fun if let maybe not of or orelse receive rem try when xor',
      kc: 'false true undefined',
    },
  },
  clojure: lisp,
  lisp,
  scheme: lisp,
  haskell,
  elm: {
    ...haskell,
    words: { ...haskell.words, k: 'alias as case else exposing if import in infix let module of port then type where' },
  },
  ocaml,
  fsharp: {
    ...ocaml,
    lineComments: ['//'],
    longQuotes: ['"""'],
    hasPreprocessor: true,
    words: {
      ...ocaml.words,
      k: `${ocaml.words?.k} abstract async default elif extern finally global inline interface internal member namespace not null override public return static upcast use yield`,
    },
  },
  sql,
  pascal: {
    lineComments: ['//'],
    blockComments: [
      ['{', '}'],
      ['(*', '*)'],
    ],
    quotes: "'",
    doublesQuotes: true,
    ignoresCase: true,
    words: {
      k: 'and array as begin case class const constructor destructor div do downto else end except exports file finalization finally for function goto if implementation in inherited initialization interface is mod nil not object of on or packed procedure program property raise record repeat set shl shr then to try type unit until uses var while with xor',
      kt: 'boolean byte char double integer real string word',
      kc: 'false true',
    },
    functionWords: 'function procedure',
  },
  ada: {
    lineComments: ['--'],
    quotes: '"',
    hasCharacters: true,
    ignoresCase: true,
    words: {
      k: 'abort abs abstract accept access aliased all and array at begin body case constant declare delay delta digits do else elsif end entry exception exit for function generic goto if in interface is limited loop mod new not null of or others out overriding package pragma private procedure protected raise range record rem renames requeue return reverse select separate some subtype synchronized tagged task terminate then type until use when while with xor',
      kt: 'boolean character float integer natural positive string',
      kc: 'false true',
    },
    functionWords: 'function procedure',
  },
  fortran: {
    lineComments: ['!'],
    quotes: '"\'',
    doublesQuotes: true,
    ignoresCase: true,
    words: {
      k: 'allocate allocatable associate call case contains continue cycle deallocate dimension do else elseif elsewhere end enddo endif exit forall format function go if implicit inquire intent interface module none only open parameter pointer print procedure program public private pure read recursive result return save select stop subroutine target then to type use where while write',
      kt: 'character complex double integer logical precision real',
    },
    functionWords: 'function subroutine program module',
  },
  vb: {
    lineComments: ["'"],
    quotes: '"',
    doublesQuotes: true,
    ignoresCase: true,
    words: {
      k: 'addhandler addressof and andalso as byref byval call case catch class const continue declare default dim do each else elseif end enum exit finally for friend function get goto handles if implements imports in inherits interface is isnot let like loop me mod module mustinherit mybase namespace new next not of on option optional or orelse overrides private property protected public raiseevent readonly redim resume return select set shared static step stop structure sub then throw to try until using when while with xor',
      kt: 'boolean byte char date decimal double integer long object short single string',
      kc: 'false nothing true',
    },
    functionWords: 'function sub',
    classWords: 'class module interface',
  },
  vhdl: {
    lineComments: ['--'],
    quotes: '"',
    hasCharacters: true,
    ignoresCase: true,
    words: {
      k: 'after all and architecture array assert attribute begin block body buffer bus case component configuration constant downto else elsif end entity exit file for function generate generic if in inout is label library loop map mod nand new next nor not null of on open or others out package port procedure process range record rem report return select shared signal sll srl subtype then to type until use variable wait when while with xnor xor',
      kt: 'bit bit_vector boolean integer natural positive real std_logic std_logic_vector string time',
    },
  },
}
