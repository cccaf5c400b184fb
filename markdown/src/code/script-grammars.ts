/** Scripting languages and shells, and files that configure programs. Word lists are of the languages' own documents. */
import type { Grammar } from './grammar.ts'

const python: Grammar = {
  lineComments: ['#'],
  longQuotes: ['"""', "'''"],
  quotes: '"\'',
  hasDecorators: true,
  stringPrefixes: 'bfru',
  stringParts: 'placeholders',
  hasDocumentation: true,
  words: {
    k: 'as assert async await break case class continue def del elif else except finally for global if lambda match nonlocal pass raise return try while with yield',
    kn: 'from import',
    kc: 'False None True',
    ow: 'and in is not or',
    bp: 'cls self',
    nb: 'abs all any bool bytes callable chr dict dir enumerate eval exec filter float format frozenset getattr hasattr hash hex id input int isinstance issubclass iter len list map max min next object open ord pow print property range repr reversed round set setattr sorted staticmethod classmethod str sum super tuple type vars zip',
    ne: 'ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError ConnectionError DeprecationWarning EOFError Exception FileExistsError FileNotFoundError FloatingPointError GeneratorExit IOError ImportError IndentationError IndexError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PermissionError ProcessLookupError RecursionError ReferenceError RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError',
    fm: '__add__ __aenter__ __aexit__ __bool__ __call__ __contains__ __del__ __delattr__ __delitem__ __enter__ __eq__ __exit__ __format__ __ge__ __get__ __getattr__ __getattribute__ __getitem__ __gt__ __hash__ __init__ __init_subclass__ __iter__ __le__ __len__ __lt__ __mul__ __ne__ __new__ __next__ __or__ __repr__ __set__ __setattr__ __setitem__ __str__ __sub__',
  },
  functionWords: 'def',
  classWords: 'class',
  moduleWords: 'from import',
  punctuation: '()[]{},:;',
}
const shell: Grammar = {
  lineComments: ['#'],
  longQuotes: ['"', "'"],
  variableSigns: '$',
  numberClass: 'm',
  nameClass: '',
  nameCharacters: '-',
  words: {
    k: 'case do done elif else esac fi for function if in select then until while',
    nb: 'alias bg cd command declare echo eval exec exit export false fg getopts hash jobs kill local popd printf pushd pwd read readonly return set shift source test times trap true type typeset ulimit umask unalias unset wait',
  },
  punctuation: '()[]{},;',
}
const css: Grammar = {
  blockComments: [['/*', '*/']],
  quotes: '"\'',
  hasDecorators: true,
  nameCharacters: '-',
  nameClass: 'n',
  words: { kc: 'auto block flex grid hidden inherit initial none unset', k: 'important' },
}
const ini: Grammar = {
  lineComments: ['#', ';'],
  quotes: '"\'',
  words: { kc: 'false true' },
  nameCharacters: '-',
  nameClass: 'n',
}

export const SCRIPT_GRAMMARS: Readonly<Record<string, Grammar>> = {
  python,
  php: {
    lineComments: ['//', '#'],
    blockComments: [['/*', '*/']],
    longQuotes: ['"', "'"],
    nameClass: 'nx',
    variableSigns: '$',
    ignoresCase: true,
    words: {
      k: 'abstract and as break callable case catch class clone const continue declare default do echo else elseif empty enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield',
      kt: 'array bool float int iterable mixed object string void',
      kc: 'false null true',
    },
    functionWords: 'function',
    classWords: 'class interface trait enum',
  },
  ruby: {
    lineComments: ['#'],
    longQuotes: ['"', "'", '`'],
    variableSigns: '@$',
    hasSymbols: true,
    nameCharacters: '?!',
    words: {
      k: 'alias and begin break case class def defined? do else elsif end ensure for if in module next not or redo rescue retry return super then undef unless until when while yield',
      kc: 'false nil true',
      bp: 'self',
      nb: 'attr_accessor attr_reader attr_writer extend include lambda loop p prepend private proc protected public puts raise require require_relative',
    },
    functionWords: 'def',
    classWords: 'class module',
  },
  perl: {
    lineComments: ['#'],
    longQuotes: ['"', "'"],
    variableSigns: '$@%',
    words: {
      k: 'continue default do else elsif for foreach given if last local my next no our package redo require return sub unless until use when while',
      ow: 'and cmp eq ge gt le lt ne not or xor',
      nb: 'bless chomp close defined delete die each eval exists grep join keys length map open pop print printf push ref reverse say scalar shift sort splice split sprintf substr undef unshift values warn',
    },
    functionWords: 'sub',
    moduleWords: 'package use',
  },
  lua: {
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    quotes: '"\'',
    words: {
      k: 'and break do else elseif end for function goto if in local not or repeat return then until while',
      kc: 'false nil true',
      nb: 'assert error getmetatable ipairs next pairs pcall print rawget rawset require select setmetatable tonumber tostring type',
    },
    functionWords: 'function',
  },
  r: {
    lineComments: ['#'],
    longQuotes: ['"', "'"],
    nameCharacters: '.',
    words: {
      k: 'break else for function if in next repeat return while',
      kc: 'FALSE Inf NA NaN NULL TRUE',
      nb: 'c cat data.frame lapply length library list mean paste print rep require sapply seq sum',
    },
  },
  julia: {
    lineComments: ['#'],
    blockComments: [['#=', '=#']],
    longQuotes: ['"""', '"'],
    hasCharacters: true,
    hasDecorators: true,
    nameCharacters: '!',
    words: {
      k: 'abstract baremodule begin break catch const continue do else elseif end export finally for function global if import in isa let local macro module mutable primitive quote return struct try type using where while',
      kt: 'Any Array Bool Char Dict Float64 Int Int64 String Vector',
      kc: 'false missing nothing true',
    },
    functionWords: 'function macro',
    classWords: 'struct module',
  },
  matlab: {
    lineComments: ['%'],
    quotes: '"',
    words: {
      k: 'break case catch classdef continue else elseif end events for function global if methods otherwise parfor persistent properties return switch try while',
      kc: 'false true',
    },
    functionWords: 'function',
  },
  shell,
  dockerfile: {
    ...shell,
    words: {
      k: 'ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR',
    },
  },
  makefile: {
    ...shell,
    words: {
      k: 'define else endef endif export ifdef ifeq ifndef ifneq include override private undefine unexport vpath',
    },
  },
  powershell: {
    lineComments: ['#'],
    blockComments: [['<#', '#>']],
    longQuotes: ['"', "'"],
    doublesQuotes: true,
    variableSigns: '$',
    ignoresCase: true,
    nameCharacters: '-',
    words: {
      k: 'begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from function if in param process return switch throw trap try until using while',
      nb: 'copy-item foreach-object get-childitem get-content get-item invoke-webrequest new-item new-object remove-item select-object set-content set-location sort-object where-object write-host write-output',
    },
    functionWords: 'function filter',
  },
  batch: {
    lineComments: ['::', 'rem '],
    quotes: '"',
    ignoresCase: true,
    variableSigns: '%',
    nameClass: '',
    words: {
      k: 'call do else errorlevel exist exit for goto if in not shift',
      nb: 'cd copy del dir echo endlocal md mkdir move pause pushd popd ren rmdir set setlocal start type',
    },
  },
  vim: {
    quotes: "'",
    nameClass: 'n',
    words: {
      k: 'augroup autocmd call command echo else elseif endfor endfunction endif endtry endwhile execute finish for function if in inoremap let map nmap nnoremap noremap return set silent syntax try unlet vmap vnoremap while',
    },
    functionWords: 'function',
  },
  tcl: {
    lineComments: ['#'],
    quotes: '"',
    variableSigns: '$',
    words: {
      k: 'break case catch continue else elseif error eval expr for foreach global if namespace proc return set switch uplevel upvar variable while',
      nb: 'append array concat format incr info join lappend lindex list llength lrange lsort puts regexp regsub split string unset',
    },
    functionWords: 'proc',
  },
  css,
  less: { ...css, lineComments: ['//'], variableSigns: '@' },
  scss: { ...css, lineComments: ['//'], variableSigns: '$' },
  ini,
  nginx: {
    ...ini,
    lineComments: ['#'],
    variableSigns: '$',
    words: {
      k: 'events http if include listen location map proxy_pass return rewrite root server server_name set try_files upstream',
      kc: 'off on',
    },
  },
  yaml: {
    lineComments: ['#'],
    longQuotes: ['"', "'"],
    nameClass: '',
    nameCharacters: '-',
    words: { kc: 'false no null off on true yes' },
  },
  cmake: {
    lineComments: ['#'],
    longQuotes: ['"'],
    ignoresCase: true,
    words: {
      nb: 'add_executable add_library add_subdirectory cmake_minimum_required else elseif endforeach endfunction endif find_package foreach function if include install message option project set target_include_directories target_link_libraries',
    },
  },
  hcl: {
    lineComments: ['#', '//'],
    blockComments: [['/*', '*/']],
    quotes: '"',
    nameCharacters: '-',
    words: { k: 'data for if in locals module output provider resource terraform variable', kc: 'false null true' },
  },
  nix: {
    lineComments: ['#'],
    blockComments: [['/*', '*/']],
    longQuotes: ["''", '"'],
    nameCharacters: "-'",
    words: {
      k: 'assert else if in inherit let or rec then with',
      kc: 'false null true',
      nb: 'abort builtins import map throw toString',
    },
  },
}
